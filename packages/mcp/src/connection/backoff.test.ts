import { describe, expect, it, vi } from 'vitest'
import { createBackoff } from './backoff.ts'

describe('a backoff', () => {
  it('the backoff doubles the delay up to a limit and a number of attempts', () => {
    const backoff = createBackoff({ retry: () => {}, firstMs: 10, longestMs: 50, maxAttempts: 5 })
    expect([1, 2, 3, 4, 5, 6].map(() => backoff.schedule())).toEqual([10, 20, 40, 50, 50, undefined])
    backoff.reset()
    expect(backoff.schedule()).toBe(10)
    backoff.pause()
  })

  it('the backoff retries after the delay unless it is paused', async () => {
    let tries = 0
    const backoff = createBackoff({ retry: () => (tries += 1), firstMs: 5 })
    backoff.schedule()
    await vi.waitUntil(() => tries === 1, 30_000)
    backoff.schedule()
    backoff.pause()
    await new Promise(resolve => setTimeout(resolve, 40))
    expect(tries).toBe(1)
  })
})
