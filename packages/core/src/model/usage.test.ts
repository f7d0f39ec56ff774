import { describe, expect, it } from 'vitest'
import { addCost, addUsage, cacheHitRate, costOf, totalTokens, ZERO_USAGE } from './usage.ts'

const usage = { input: 1_000, output: 200, reasoning: 150, cacheRead: 50_000, cacheWrite: 4_000 }
const table = { source: 'price page', date: '2026-05-01' }

describe('cacheHitRate', () => {
  it('cacheHitRate returns the share of input tokens that a cache served', () => {
    expect(cacheHitRate({ ...usage, input: 30, cacheRead: 60, cacheWrite: 10 })).toBe(0.6)
    expect(cacheHitRate({ ...usage, cacheRead: 0 })).toBe(0)
    expect(cacheHitRate(ZERO_USAGE)).toBe(0)
  })
})

describe('costOf', () => {
  it('costOf multiplies each kind of token by its own price per million', () => {
    // 1000 × 3 + 200 × 15 + 50000 × 0.3 + 4000 × 3.75 = 3000 + 3000 + 15000 + 15000 = 36000 millionths
    const pricing = { ...table, input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
    expect(costOf(usage, pricing)).toEqual({ usd: 0.036, pricedAt: '2026-05-01' })
    expect(costOf(usage, { ...pricing, date: undefined })).toEqual({ usd: 0.036 })
  })

  it('costOf uses the input price for cached tokens without a price', () => {
    // (1000 + 50000 + 4000) × 2 + 200 × 10 = 112000 millionths
    expect(costOf(usage, { ...table, input: 2, output: 10 }).usd).toBe(0.112)
  })

  it('costOf counts reasoning tokens only as output tokens', () => {
    const pricing = { ...table, input: 2, output: 10 }
    expect(costOf({ ...ZERO_USAGE, output: 200, reasoning: 200 }, pricing).usd).toBe(0.002)
  })

  it('costOf uses the separate price of cache writes that are kept for an hour', () => {
    // 1000 × 2 for five minutes + 3000 × 4 for an hour = 14000 millionths
    const pricing = { ...table, input: 1, output: 10, cacheWrite: 2 }
    const written = { ...ZERO_USAGE, cacheWrite: 4_000, cacheWrite1h: 3_000 }
    expect(costOf(written, { ...pricing, cacheWrite1h: 4 }).usd).toBe(0.014)
    expect(costOf(written, pricing).usd).toBe(0.008)
  })

  it('costOf applies the price tier of a long call to all its tokens', () => {
    const tiers = [
      { aboveInput: 300, input: 100, output: 100 },
      { aboveInput: 200, input: 10, output: 10, cacheRead: 5 },
    ]
    const pricing = { ...table, input: 1, output: 1, cacheRead: 1, tiers }
    const long = (cacheRead: number): number =>
      Math.round(costOf({ ...ZERO_USAGE, input: 100, output: 7, cacheRead }, pricing).usd * 1_000_000)
    expect(long(100)).toBe(100 + 7 + 100)
    expect(long(101)).toBe(1000 + 70 + 505)
    expect(long(201)).toBe(30_100 + 700)
  })

  it('costOf accepts a price of zero', () => {
    const pricing = { ...table, input: 2, output: 10, cacheRead: 0, cacheWrite: 0 }
    expect(costOf({ ...ZERO_USAGE, cacheRead: 9, cacheWrite: 9 }, pricing).usd).toBe(0)
  })
})

describe('usage', () => {
  it('addUsage adds field by field', () => {
    expect(addUsage(usage, { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5 })).toEqual({
      input: 1_001,
      output: 202,
      reasoning: 153,
      cacheRead: 50_004,
      cacheWrite: 4_005,
    })
    expect(addUsage(usage, ZERO_USAGE)).toEqual(usage)
  })

  it('addUsage adds the cache writes for an hour if one usage has them', () => {
    expect(addUsage(usage, { ...ZERO_USAGE, cacheWrite: 5, cacheWrite1h: 5 })).toEqual({
      ...usage,
      cacheWrite: 4_005,
      cacheWrite1h: 5,
    })
  })

  it('totalTokens counts each token once', () => {
    expect(totalTokens(usage)).toBe(55_200)
    expect(totalTokens(ZERO_USAGE)).toBe(0)
  })

  it('ZERO_USAGE is frozen', () => {
    expect(Object.isFrozen(ZERO_USAGE)).toBe(true)
  })
})

describe('addCost', () => {
  const old = { usd: 1, pricedAt: '2025-12-31' }
  const fresh = { usd: 2, pricedAt: '2026-05-01' }

  it('addCost adds two costs and keeps the older date', () => {
    expect(addCost(old, fresh)).toEqual({ usd: 3, pricedAt: '2025-12-31' })
    expect(addCost(fresh, old)).toEqual({ usd: 3, pricedAt: '2025-12-31' })
  })

  it('addCost keeps the only date, and no date if no price table has one', () => {
    expect(addCost({ usd: 1 }, fresh)).toEqual({ usd: 3, pricedAt: '2026-05-01' })
    expect(addCost(fresh, { usd: 1 })).toEqual({ usd: 3, pricedAt: '2026-05-01' })
    expect(addCost({ usd: 1 }, { usd: 2 })).toEqual({ usd: 3 })
  })

  it('addCost returns the known cost if the other is unknown', () => {
    expect(addCost(old, undefined)).toBe(old)
    expect(addCost(undefined, old)).toBe(old)
    expect(addCost(undefined, undefined)).toBeUndefined()
  })
})
