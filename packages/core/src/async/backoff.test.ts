import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

describe('backoffMs', () => {
  it('backoffMs uses the given options', () => {
    const backoff = { initialDelayMs: 1_000, factor: 3, maxDelayMs: 20_000, jitter: 0.5 }
    expect([1, 2, 3, 4].map(failures => backoffMs(failures, 0, backoff))).toEqual([1_000, 3_000, 9_000, 20_000])
    expect(backoffMs(1, 0.5, backoff)).toBe(750)
    expect([1, 9].map(failures => backoffMs(failures, 0, { factor: 1 }))).toEqual([500, 500])
  })

  it('linear backoff grows by the first delay up to the longest', () => {
    const backoff = { backoff: 'linear', initialDelayMs: 300, maxDelayMs: 1_000 } as const
    expect([1, 2, 3, 4, 9].map(failures => backoffMs(failures, 0, backoff))).toEqual([300, 600, 900, 1_000, 1_000])
    expect(backoffMs(2, 1, { ...backoff, jitter: 0.5 })).toBe(300)
  })

  it('backoffMs doubles from 500 ms to at most 8 seconds and subtracts at most a quarter by default', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (n, random) => {
          const full = backoffMs(n, 0)
          expect(full).toBe(Math.min(500 * 2 ** (n - 1), 8000))
          expect(backoffMs(n, random)).toBeLessThanOrEqual(full)
          expect(backoffMs(n, random)).toBeGreaterThanOrEqual(full * 0.75)
          expect(backoffMs(n + 1, 0)).toBeGreaterThanOrEqual(full)
        },
      ),
    )
  })
})
