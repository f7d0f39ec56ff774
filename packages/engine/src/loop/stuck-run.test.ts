import { createMemoryStore } from '@parley/memory-store'
import { describe, expect, it } from 'vitest'
import { initialState, type Resumption, type RunState } from '../journal/run-state.ts'
import { MOST_ADOPTIONS, MOST_RESUMES, stuckError } from './stuck-run.ts'

const state = (resumes: readonly Resumption[]): RunState => ({ ...initialState(), resumes })
const byOne = (count: number) => Array.from({ length: count }, (_, at) => ({ at, worker: 'w' }))
const byMany = (count: number) => Array.from({ length: count }, (_, at) => ({ at, worker: `w${at}` }))

const error = (max: number) => ({
  code: 'limit-reached',
  limit: 'resumes without progress',
  max,
  value: max + 1,
})

describe('stuckError', () => {
  it('a run is stuck after one resumption more than one worker may make without progress', async () => {
    const store = createMemoryStore()
    expect(await stuckError(store, state(byOne(MOST_RESUMES)))).toBeUndefined()
    expect(await stuckError(store, state(byOne(MOST_RESUMES + 1)))).toEqual(error(MOST_RESUMES))
  })

  it('a run whose workers died is stuck after one resumption more than all workers may make without progress', async () => {
    const store = createMemoryStore()
    expect(await stuckError(store, state(byMany(MOST_ADOPTIONS)))).toBeUndefined()
    expect(await stuckError(store, state(byMany(MOST_ADOPTIONS + 1)))).toEqual(error(MOST_ADOPTIONS))
  })
})
