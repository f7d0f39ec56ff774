import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeClock } from './fake-clock.ts'

describe('fakeClock', () => {
  it('the time of a fake clock changes only with advance', async () => {
    const clock = fakeClock(1_000)
    expect(clock.now()).toBe(1_000)
    // Steady: the real time must pass.
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(clock.now()).toBe(1_000)
    await clock.advance(250)
    expect(clock.now()).toBe(1_250)
  })

  it('a fake clock starts at the beginning of 2026 by default', () => {
    expect(new Date(fakeClock().now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  })

  it('advance calls every callback that is due, including those of the last millisecond', async () => {
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

  it('each callback sees its due time, and callbacks with equal times run in the order of their creation', async () => {
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

  it('advance calls a callback that another callback has scheduled within the same time', async () => {
    const clock = fakeClock(0)
    const called: number[] = []
    clock.after(10, () => clock.after(10, () => called.push(clock.now())))
    await clock.advance(20)
    expect(called).toEqual([20])
  })

  it('a fake clock lets promises settle between its callbacks', async () => {
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

  it('a cancelled callback is not called', async () => {
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
