import { describe, expect, it } from 'vitest'
import { fromMessagesUsage } from './from-messages-usage.ts'

describe('fromMessagesUsage', () => {
  it('fromMessagesUsage keeps the counters of the API separate', () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 7,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
      output_tokens_details: { thinking_tokens: 5 },
    }
    expect(fromMessagesUsage(usage)).toEqual({ input: 10, output: 7, reasoning: 5, cacheRead: 100, cacheWrite: 50 })
  })

  it('fromMessagesUsage adds the tokens of a compaction pass, which the totals exclude', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 1000, output_tokens: 30, cache_read_input_tokens: 4 },
      { type: 'message', input_tokens: 10, output_tokens: 7 },
      { type: 'advisor_message', input_tokens: 99, output_tokens: 99 },
    ]
    expect(fromMessagesUsage({ input_tokens: 10, output_tokens: 7, iterations })).toEqual({
      input: 1010,
      output: 37,
      reasoning: 0,
      cacheRead: 4,
      cacheWrite: 0,
    })
  })

  it('fromMessagesUsage counts the cache writes for one hour separately', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 }
    const usage = { input_tokens: 10, output_tokens: 7, cache_creation_input_tokens: 50, cache_creation }
    expect(fromMessagesUsage(usage)).toMatchObject({ cacheWrite: 50, cacheWrite1h: 30 })
    const pass = { type: 'compaction', input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 5 }
    const iterations = [{ ...pass, cache_creation: { ephemeral_1h_input_tokens: 5 } }]
    expect(fromMessagesUsage({ ...usage, iterations })).toMatchObject({ cacheWrite: 55, cacheWrite1h: 35 })
    expect(fromMessagesUsage({ ...usage, cache_creation: null })).not.toHaveProperty('cacheWrite1h')
  })

  it('fromMessagesUsage returns undefined if the counts are unknown', () => {
    expect(fromMessagesUsage({ service_tier: 'standard' })).toBeUndefined()
  })
})
