import { summarize } from '@parley/context-policies'
import type { ModelEvent } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

const usage = { input: 1_000_000, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
const pricing = { input: 3, output: 9, source: 'test', date: '2025-01-01' }

/** The cost of a run whose only answer ends with these events. */
async function costOf(events: readonly ModelEvent[], info: object) {
  const model = scriptedModel(
    [{ events: [{ type: 'text.delta', text: 'hi' }, ...events, { type: 'finish', reason: 'stop' }] }],
    { info },
  )
  const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model })], clock: fakeClock(Date.UTC(2026, 4, 6)) })
  return (await runtime.run('a', 'go').result).cost
}

describe('the cost of an answer', () => {
  it('the cost of an answer is what the provider reports, even if prices are known', async () => {
    const told = { type: 'usage' as const, usage, costUsd: 0.5 }
    expect(await costOf([told], { pricing })).toEqual({ usd: 0.5, pricedAt: '2026-05-06' })
    expect(await costOf([told], {})).toEqual({ usd: 0.5, pricedAt: '2026-05-06' })
  })

  it('the cost of an answer follows from the model’s prices if the provider reports none', async () => {
    expect(await costOf([{ type: 'usage', usage }], { pricing })).toEqual({ usd: 3, pricedAt: '2025-01-01' })
    expect(await costOf([{ type: 'usage', usage }], {})).toBeUndefined()
  })

  it('the cost of an answer without usage is undefined', async () => {
    expect(await costOf([], { pricing })).toBeUndefined()
  })

  it('the cost that a provider reports counts for the calls of a context policy', async () => {
    const events: readonly ModelEvent[] = [
      { type: 'text.delta', text: 'The summary.' },
      { type: 'usage', usage, costUsd: 0.5 },
      { type: 'finish', reason: 'stop' },
    ]
    const model = scriptedModel([{ events }, { text: 'hi' }])
    const agent = defineAgent({ name: 'a', model, context: summarize({ maxMessages: 2, keepRecentTurns: 1 }) })
    const content = [{ type: 'text' as const, text: 'x' }]
    const history = [1, 2, 3].flatMap(() => [
      { role: 'user' as const, content },
      { role: 'assistant' as const, content },
    ])
    const { cost } = await createRuntime({ agents: [agent] }).run('a', 'go', { history }).result
    expect(cost?.usd).toBe(0.5)
  })
})
