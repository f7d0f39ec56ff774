import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBackoff } from './backoff.ts'

describe('a backoff', () => {
  afterEach(() => void vi.useRealTimers())

  it('the backoff doubles the delay up to a limit and a number of attempts', () => {
    const backoff = createBackoff({ retry: () => {}, firstMs: 10, longestMs: 50, maxAttempts: 5 })
    expect([1, 2, 3, 4, 5, 6].map(() => backoff.schedule())).toEqual([10, 20, 40, 50, 50, undefined])
    backoff.reset()
    expect(backoff.schedule()).toBe(10)
    backoff.pause()
  })

  it('the backoff retries after the delay unless it is paused', () => {
    vi.useFakeTimers()
    let tries = 0
    const backoff = createBackoff({ retry: () => (tries += 1), firstMs: 5 })
    backoff.schedule()
    vi.advanceTimersByTime(4)
    expect(tries).toBe(0)
    vi.advanceTimersByTime(1)
    expect(tries).toBe(1)
    backoff.schedule()
    backoff.pause()
    vi.advanceTimersByTime(1_000)
    expect(tries).toBe(1)
  })
})
