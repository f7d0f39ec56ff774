import { createMemoryStore } from '@parley/memory-store'
import { expect, it } from 'vitest'
import { initialState } from '../journal/run-state.ts'
import { MOST_RESUMES, stuckError } from './stuck-run.ts'

const resumedTimes = (count: number) => ({ ...initialState(), resumes: Array.from({ length: count }, (_, at) => at) })

it('a run is stuck after one resumption more than the most without progress', async () => {
  const store = createMemoryStore()
  expect(await stuckError(store, resumedTimes(MOST_RESUMES))).toBeUndefined()
  expect(await stuckError(store, resumedTimes(MOST_RESUMES + 1))).toEqual({
    code: 'limit-reached',
    limit: 'resumes without progress',
    max: MOST_RESUMES,
    value: MOST_RESUMES + 1,
  })
})
