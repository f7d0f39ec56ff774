import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { initialState } from '../journal/run-state.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { Stopper } from '../run-context/stopper.ts'
import { startDurationTimer } from './duration-timer.ts'

/** A driver that starts 10 s after the start of its run, of which `idleMs` were idle. Its limit is 12 s. */
function startTimer(idleMs: number) {
  const clock = fakeClock(110_000)
  const stopper = new Stopper()
  const recorded: unknown[] = []
  const run = {
    clock,
    stopper,
    policy: { limits: { maxDurationMs: 12_000 } },
    state: { ...initialState(), startedAt: 100_000, idleMs },
    journal: { record: (body: unknown) => recorded.push(body) },
  } as unknown as RunContext
  return { clock, stopper, recorded, stop: startDurationTimer(run) }
}

it('a driver that resumes a run gives it only the rest of its duration', async () => {
  const { clock, stopper, recorded } = startTimer(0)
  await clock.advance(1_999)
  expect(stopper.stopped).toBe(false)
  await clock.advance(1)
  expect(stopper.stopped).toBe(true)
  expect(recorded).toEqual([{ type: 'limit.reached', hit: { limit: 'duration', max: 12_000, value: 12_000 } }])
})

it('time without a driver does not count against the duration', async () => {
  const { clock, stopper } = startTimer(5_000)
  await clock.advance(6_999)
  expect(stopper.stopped).toBe(false)
  await clock.advance(1)
  expect(stopper.stopped).toBe(true)
})

it('a run that has ended keeps no duration timer', () => {
  const { clock, stop } = startTimer(0)
  stop()
  expect(clock.pending).toBe(0)
})
