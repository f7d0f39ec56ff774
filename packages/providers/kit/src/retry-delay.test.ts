import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs, retryAfterOf } from './retry-delay.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const wait = (headers: Record<string, string>): number | undefined => retryAfterOf(new Headers(headers), NOW)

describe('retryAfterOf', () => {
  it('prefers retry-after-ms to retry-after', () => {
    expect(wait({ 'retry-after-ms': '1500.5', 'retry-after': '7' })).toBe(1500.5)
  })

  it('reads seconds, fractions of them, and dates', () => {
    expect(wait({ 'retry-after': '2' })).toBe(2000)
    expect(wait({ 'retry-after': '0.25' })).toBe(250)
    expect(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' })).toBe(5000)
  })

  it('counts zero, the past and nonsense as absent', () => {
    expect(wait({ 'retry-after-ms': '0', 'retry-after': '1' })).toBe(1000)
    expect(wait({ 'retry-after': '0' })).toBeUndefined()
    expect(wait({ 'retry-after': '-3' })).toBeUndefined()
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined()
    expect(wait({ 'retry-after': 'Thu, 01 Jan 2015 00:00:05 GMT' })).toBeUndefined()
    expect(wait({})).toBeUndefined()
  })

  it('reads a reset that is a point in time, and leaves one that is not', () => {
    expect(wait({ 'x-ratelimit-reset': String(NOW + 3000) })).toBe(3000)
    expect(wait({ 'x-ratelimit-reset': String(NOW / 1000 + 4) })).toBe(4000)
    expect(wait({ 'x-ratelimit-reset': '30' })).toBeUndefined()
  })
})

describe('backoffMs', () => {
  it('follows other numbers where they are given', () => {
    const backoff = { initialDelayMs: 1_000, factor: 3, maxDelayMs: 20_000, jitter: 0.5 }
    expect([1, 2, 3, 4].map(failures => backoffMs(failures, 0, backoff))).toEqual([1_000, 3_000, 9_000, 20_000])
    expect(backoffMs(1, 0.5, backoff)).toBe(750)
    expect([1, 9].map(failures => backoffMs(failures, 0, { factor: 1 }))).toEqual([500, 500])
  })

  it('grows by the first wait each time where it is linear, up to the longest', () => {
    const backoff = { backoff: 'linear', initialDelayMs: 300, maxDelayMs: 1_000 } as const
    expect([1, 2, 3, 4, 9].map(failures => backoffMs(failures, 0, backoff))).toEqual([300, 600, 900, 1_000, 1_000])
    expect(backoffMs(2, 1, { ...backoff, jitter: 0.5 })).toBe(300)
  })

  it('doubles from half a second, stays at or under eight, and loses at most a quarter', () => {
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
