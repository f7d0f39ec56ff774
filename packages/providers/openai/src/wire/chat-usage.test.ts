import { describe, expect, it } from 'vitest'
import { chargedBy, fromChatUsage } from './chat-usage.ts'

describe('fromChatUsage', () => {
  it('fromChatUsage subtracts cache reads and writes from the input', () => {
    const details = { cached_tokens: 60, cache_write_tokens: 30 }
    expect(fromChatUsage({ prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: details })).toEqual({
      input: 10,
      output: 5,
      reasoning: 0,
      cacheRead: 60,
      cacheWrite: 30,
    })
  })

  it('fromChatUsage reads the field names of other servers', () => {
    expect(fromChatUsage({ prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 })?.cacheRead).toBe(4)
    expect(fromChatUsage({ prompt_tokens: 9, completion_tokens: 1, cached_tokens: 3 })?.cacheRead).toBe(3)
    expect(fromChatUsage({ prompt_tokens: 9, completion_tokens: 8, reasoning_tokens: 2 })?.reasoning).toBe(2)
  })

  it('fromChatUsage counts reasoning into the output exactly once', () => {
    const usage = (completion: number, total: number): unknown => ({
      prompt_tokens: 10,
      completion_tokens: completion,
      total_tokens: total,
      completion_tokens_details: { reasoning_tokens: 20 },
    })
    expect(fromChatUsage(usage(30, 40))?.output).toBe(30)
    expect(fromChatUsage(usage(30, 60))?.output).toBe(50)
    // Some gateways exclude reasoning from the total, too.
    expect(fromChatUsage(usage(9, 19))?.output).toBe(29)
  })

  it('fromChatUsage never returns a negative count', () => {
    expect(fromChatUsage({ prompt_tokens: 5, completion_tokens: 0, cached_tokens: 8 })?.input).toBe(0)
  })

  it('fromChatUsage returns undefined for unknown counts, and 0 for zero', () => {
    for (const usage of [null, undefined, {}, 'x', { prompt_tokens: null }])
      expect(fromChatUsage(usage)).toBeUndefined()
  })
})

describe('chargedBy', () => {
  it('chargedBy reads the cost of a call in each form of the servers', () => {
    expect(chargedBy({ cost: 0.0012 })).toEqual({ costUsd: 0.0012 })
    expect(chargedBy({ cost: 0 })).toEqual({ costUsd: 0 })
    expect(chargedBy({ cost: { input_tokens_cost: 0.001, total_cost: 0.005 } })).toEqual({ costUsd: 0.005 })
    expect(chargedBy({ cost_in_usd_ticks: 1_330_500 })).toEqual({ costUsd: 0.00013305 })
  })

  it('chargedBy returns {} if the server states no cost', () => {
    for (const usage of [null, {}, { cost: null }, { cost: 'free' }, { cost: -1 }, { cost_in_usd_ticks: Number.NaN }])
      expect(chargedBy(usage)).toEqual({})
  })
})
