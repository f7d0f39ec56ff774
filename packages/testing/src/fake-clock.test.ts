import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeClock } from './fake-clock.ts'

describe('fakeClock', () => {
  it('stands still until it is told to go', async () => {
    const clock = fakeClock(1_000)
    expect(clock.now()).toBe(1_000)
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(clock.now()).toBe(1_000)
    await clock.advance(250)
    expect(clock.now()).toBe(1_250)
  })

  it('starts with the year 2026 unless told otherwise', () => {
    expect(new Date(fakeClock().now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  })

  it('calls back what falls due, up to and including the last millisecond', async () => {
    const clock = fakeClock(0)
    const called: number[] = []
    for (const ms of [11, 10, 5]) clock.after(ms, () => called.push(ms))
    await clock.advance(10)
    expect(called).toEqual([5, 10])
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    expect(called).toEqual([5, 10, 11])
    expect(clock.pending).toBe(0)
  })

  it('shows each callback the time it was due at, and calls equal times in the order they were asked for', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(delays, async each => {
        const clock = fakeClock(0)
        const called: { ms: number; index: number; at: number }[] = []
        each.forEach((ms, index) => clock.after(ms, () => called.push({ ms, index, at: clock.now() })))
        await clock.advance(20)
        const expected = each.map((ms, index) => ({ ms, index, at: ms })).toSorted((a, b) => a.ms - b.ms)
        expect(called).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  it('calls back what a callback asked for, when it falls due in the same move', async () => {
    const clock = fakeClock(0)
    const called: number[] = []
    clock.after(10, () => clock.after(10, () => called.push(clock.now())))
    await clock.advance(20)
    expect(called).toEqual([20])
  })

  it('lets promises settle between callbacks', async () => {
    const clock = fakeClock(0)
    const sleep = (ms: number): Promise<void> => new Promise(resolve => clock.after(ms, resolve))
    const seen: number[] = []
    async function work(): Promise<void> {
      for (let step = 0; step < 3; step += 1) {
        await sleep(100)
        seen.push(clock.now())
      }
    }
    const working = work()
    await clock.advance(300)
    expect(seen).toEqual([100, 200, 300])
    await working
  })

  it('does not call back what was called off', async () => {
    const clock = fakeClock(0)
    let called = false
    const callOff = clock.after(10, () => (called = true))
    callOff()
    callOff()
    expect(clock.pending).toBe(0)
    await clock.advance(10)
    expect(called).toBe(false)
  })
})
