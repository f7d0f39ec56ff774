import type { ModelPricing } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { callEcho, setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { createBudget } from './create-budget.ts'

const pricing: ModelPricing = { input: 1_000_000, output: 0, source: 'a test', date: '2026-01-01' }
/** Each call of the scripted model uses 15 tokens, of which 10 are input. */
const calls = [callEcho('a'), callEcho('b'), callEcho('c'), 'Done.']

describe('budget', () => {
  it.each([
    ['tokens', { tokens: 30 }, { limit: 'budget tokens', max: 30, value: 30 }],
    ['money', { usd: 20 }, { limit: 'budget usd', max: 20, value: 20 }],
    ['model calls', { modelCalls: 2 }, { limit: 'budget modelCalls', max: 2, value: 2 }],
  ])('a budget of %s ends the run before the call that would exceed it', async (_, options, hit) => {
    const { run, model } = setup(calls, [createBudget(options)], { model: { info: { pricing } } })
    expect(await run().result).toMatchObject({ status: 'failed', error: { code: 'limit-reached', ...hit } })
    expect(model.requests).toHaveLength(2)
  })

  it('a budget of money prefers the cost that the provider reports to the model’s prices', async () => {
    const usage = { input: 1, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
    const told = [
      { type: 'text.delta' as const, text: 'x' },
      { type: 'usage' as const, usage, costUsd: 20 },
    ]
    const script = [{ events: [...told, { type: 'finish' as const, reason: 'stop' as const }] }, 'Done.']
    const { run } = setup(script, [createBudget({ usd: 20, key: () => 'all' })], { model: { info: { pricing } } })
    expect(await run().result).toMatchObject({ status: 'completed', cost: { usd: 20 } })
    expect(await run().result).toMatchObject({ status: 'failed', error: { limit: 'budget usd', max: 20, value: 20 } })
  })

  it('a budget of tool calls refuses further calls and lets the model answer', async () => {
    const { run, model } = setup(calls, [createBudget({ toolCalls: 2 })])
    expect(await run().result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(toldIn(model.requests[3])).toEqual([
      'a',
      'b',
      "'echo' was not run: the budget of 2 tool calls is spent. Answer with what you have.",
    ])
  })

  it('each run has its own budget, unless runs share a key', async () => {
    const own = setup(() => 'x', [createBudget({ modelCalls: 1 })])
    await own.run().result
    expect(await own.run().result).toMatchObject({ status: 'completed' })

    const shared = setup(() => 'x', [createBudget({ modelCalls: 1, key: run => run.scope })])
    await shared.run().result
    expect(await shared.run().result).toMatchObject({ status: 'failed' })
    const elsewhere = shared.runtime.run('a', 'go', { scope: 'elsewhere' })
    expect(await elsewhere.result).toMatchObject({ status: 'completed' })
  })

  it('a shared budget starts again when its window is over', async () => {
    const clock = fakeClock()
    const { run } = setup(() => 'x', [createBudget({ modelCalls: 1, key: () => '', windowMs: 1_000, clock })])
    await run().result
    await clock.advance(999)
    expect(await run().result).toMatchObject({ status: 'failed' })
    await clock.advance(1)
    expect(await run().result).toMatchObject({ status: 'completed' })
  })

  it('a budget also counts the tokens of a failed call', async () => {
    const failing = { text: 'a', error: { code: 'model-server', provider: 'p', detail: '' } } as const
    const { run, model } = setup([failing, 'x'], [createBudget({ tokens: 1, key: () => '' })])
    await run().result
    expect(await run().result).toMatchObject({ error: { code: 'limit-reached', value: 15 } })
    expect(model.requests).toHaveLength(1)
  })

  it('a budget of money fails with config-invalid for a model without prices', async () => {
    const { run } = setup(['x'], [createBudget({ usd: 1 })])
    expect(await run().result).toMatchObject({ error: { code: 'config-invalid', path: 'budget.usd' } })
  })

  it('createBudget rejects missing and invalid limits', () => {
    expect(() => createBudget({})).toThrow('budget: requires one of tokens, usd, modelCalls, toolCalls')
    expect(() => createBudget({ tokens: -1 })).toThrow('budget.tokens: is -1')
  })
})
