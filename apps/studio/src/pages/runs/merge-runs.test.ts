import type { RunRecord } from '@parley/core'
import { expect, test } from 'vitest'
import { mergeRuns } from './merge-runs.ts'

const run = (runId: string, startedAt: number, status = 'completed'): RunRecord =>
  ({ runId, startedAt, status }) as RunRecord

test('new runs come first, and known runs have their new state in their place', () => {
  const earlier = [run('b', 2, 'running'), run('a', 1)]
  const merged = mergeRuns([run('c', 3), run('b', 2)], earlier)
  expect(merged.map(each => `${each.runId} ${each.status}`)).toEqual(['c completed', 'b completed', 'a completed'])
})
