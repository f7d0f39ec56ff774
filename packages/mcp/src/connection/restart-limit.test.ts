import { expect, it } from 'vitest'
import { createRestartLimit } from './restart-limit.ts'

it('the restart limit allows at most max restarts within the sliding window', () => {
  let now = 0
  const limit = createRestartLimit({ max: 2, windowMs: 100, now: () => now })
  const taken: boolean[] = []
  for (const at of [0, 50, 99, 100, 149, 150]) {
    now = at
    taken.push(limit.take())
  }
  expect(taken).toEqual([true, true, false, true, false, true])
})
