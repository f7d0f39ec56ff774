import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { describeBusyRun } from './busy-run.ts'

it.each([
  [
    `${hostname()}/12/0af3`,
    21_500,
    'another worker (pid 12). Its claim ends in 12 s unless it sends another heartbeat.',
  ],
  [
    'elsewhere/12/0af3',
    9_000,
    'another worker (pid 12 on elsewhere). Its claim ends in 1 s unless it sends another heartbeat.',
  ],
  ['crawler-7', undefined, 'another worker (crawler-7).'],
])('describeBusyRun names the worker %s and when its claim ends', (worker, aliveUntil, text) => {
  expect(describeBusyRun({ runId: 'r1', worker, aliveUntil }, 10_000)).toBe(`Run r1 is being driven by ${text}`)
})
