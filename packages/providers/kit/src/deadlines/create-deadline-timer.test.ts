import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDeadlineTimer, type DeadlineTimer } from './create-deadline-timer.ts'

function start(totalMs: number): { readonly timer: DeadlineTimer; readonly expired: unknown[] } {
  const expired: unknown[] = []
  return { expired, timer: createDeadlineTimer({ totalMs, onExpire: (name, ms) => expired.push([name, ms]) }) }
}

describe('createDeadlineTimer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('the deadline timer names the wait that took too long', () => {
    const { timer, expired } = start(Infinity)
    timer.start('connect', 100)
    vi.advanceTimersByTime(90)
    timer.start('first-byte', 50)
    vi.advanceTimersByTime(49)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(2)
    expect(expired).toEqual([['first-byte', 50]])
  })

  it('the deadline timer sets one timer while chunks keep arriving', () => {
    const { setTimeout } = globalThis
    let timers = 0
    // Not a spy of vitest: its restoration would keep the fake timer beyond this file.
    globalThis.setTimeout = ((...given: Parameters<typeof setTimeout>) => {
      timers++
      return setTimeout(...given)
    }) as typeof setTimeout
    const { timer, expired } = start(Infinity)
    for (let chunk = 0; chunk < 1000; chunk++) {
      timer.start('idle', 1000)
      expect(vi.getTimerCount()).toBe(1)
      vi.advanceTimersByTime(10)
    }
    expect(expired).toEqual([])
    // The timer is set once for each idle period, not once for each chunk.
    expect(timers).toBeGreaterThan(0)
    expect(timers).toBeLessThan(20)
    vi.advanceTimersByTime(1000)
    expect(expired).toEqual([['idle', 1000]])
    globalThis.setTimeout = setTimeout
  })

  it('the deadline timer expires a short wait that follows a longer one', () => {
    const { timer, expired } = start(Infinity)
    timer.start('first-byte', 10_000)
    timer.start('idle', 20)
    vi.advanceTimersByTime(25)
    expect(expired).toEqual([['idle', 20]])
  })

  it('the deadline timer counts the time of the reader only into the total', () => {
    const { timer, expired } = start(5000)
    timer.start('idle', 100)
    timer.pause()
    vi.advanceTimersByTime(4900)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(200)
    expect(expired).toEqual([['total', 5000]])
  })

  it('the deadline timer expires at the total deadline if a wait would end later', () => {
    const { timer, expired } = start(100)
    vi.advanceTimersByTime(60)
    timer.start('idle', 1000)
    vi.advanceTimersByTime(39)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(2)
    expect(expired).toEqual([['total', 100]])
  })

  it('the deadline timer waits in several timers for a wait that setTimeout cannot hold', () => {
    const { setTimeout } = globalThis
    globalThis.setTimeout = ((...given: Parameters<typeof setTimeout>) => {
      // The platform would fire such a timer at once.
      if ((given[1] ?? 0) >= 2 ** 31) throw new RangeError('the delay does not fit a signed 32-bit integer')
      return setTimeout(...given)
    }) as typeof setTimeout
    try {
      const { timer, expired } = start(Infinity)
      timer.start('idle', 3_000_000_000)
      vi.advanceTimersByTime(2_999_999_990)
      expect(expired).toEqual([])
      vi.advanceTimersByTime(20)
      expect(expired).toEqual([['idle', 3_000_000_000]])
    } finally {
      globalThis.setTimeout = setTimeout
    }
  })

  it('the deadline timer never expires after it is stopped or if every wait is Infinity', () => {
    const { timer, expired } = start(Infinity)
    timer.start('idle', Infinity)
    expect(vi.getTimerCount()).toBe(0)
    timer.start('idle', 10)
    timer.stop()
    vi.advanceTimersByTime(1000)
    expect(expired).toEqual([])
  })
})
