import { phiCompaction, slidingWindow, summarize, truncateOldest, turnDigest } from '@parley/context-policies'
import { messageText, userMessage, type ContextPolicy, type Message } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { applyContextPolicy, createRuntime, createTokenCounter, defineAgent, type Agent } from '../../index.ts'
import { exchange, toolTurn } from './__fixtures__/scope-over.ts'

const tokenCounter = createTokenCounter(text => text.length)
const digest = turnDigest

/** Asks an agent after a history, and returns the result with the requests that its model received. */
async function ask(
  context: ContextPolicy,
  history: readonly Message[],
  { info = {}, ...agent }: Partial<Agent> & { info?: object } = {},
) {
  const model = scriptedModel(() => 'ok', { info })
  const runtime = createRuntime({
    store: createMemoryStore(),
    agents: [defineAgent({ name: 'a', model, context, tokenCounter, ...agent })],
  })
  return { result: await runtime.run('a', 'And now?', { history }).result, requests: model.requests }
}

const pairs = [...exchange('q'.repeat(50), 'a'.repeat(50)), ...exchange('r'.repeat(50), 'b'.repeat(50))]
const huge = exchange('h'.repeat(500), 'short')
const tools = toolTurn('c', 'o'.repeat(500))

describe('an unsatisfiable context', () => {
  it('an unsatisfiable context fails the run with a clear error, and no request is sent: a minMessages floor above maxTokens', async () => {
    const { result, requests } = await ask(truncateOldest({ minMessages: 5, maxTokens: 100 }), pairs)
    expect(requests).toEqual([])
    expect(result).toMatchObject({
      status: 'failed',
      error: {
        code: 'context-unsatisfiable',
        policy: 'truncate-oldest',
        bound: 'maxTokens',
        max: 100,
        tokens: 232,
        messages: 5,
        longest: 54,
      },
    })
  })

  it.each<[string, ContextPolicy, string]>([
    ['truncateOldest', truncateOldest({ maxTokens: 100 }), 'truncate-oldest'],
    ['slidingWindow', slidingWindow({ maxTokens: 100 }), 'sliding-window'],
    ['summarize', summarize({ maxTokens: 100, summary: digest }), 'summarize'],
    ['phiCompaction', phiCompaction({ maxContextTokens: 100, systemPromptTokens: 0 }), 'phi'],
  ])('%s does not send one message that is longer than its bound', async (_, policy, name) => {
    const { result, requests } = await ask(policy, [...pairs, userMessage('h'.repeat(500))])
    const last = await ask(policy, [userMessage('x')], { instructions: 'i'.repeat(500) })
    expect(last.result).toMatchObject({ status: 'failed', error: { code: 'context-unsatisfiable', policy: name } })
    expect(
      [...requests, ...last.requests].every(({ messages }) => !messages.some(one => messageText(one).length > 100)),
    ).toBe(true)
    expect(['completed', 'failed']).toContain(result.status)
  })

  it('a call is not separated from its result to make the newest turn fit', async () => {
    const history = [...pairs, userMessage('look'), ...tools]
    const options = { tokenCounter }
    const error = { info: { code: 'context-unsatisfiable', max: 200 } }
    for (const policy of [
      truncateOldest({ maxTokens: 200 }),
      slidingWindow({ maxTokens: 200 }),
      summarize({ maxTokens: 200, summary: digest }),
    ])
      await expect(applyContextPolicy(policy, history, options)).rejects.toMatchObject(error)
  })

  it('a message longer than the model’s window is not sent, whatever the policy', async () => {
    const custom: ContextPolicy = { name: 'mine', due: () => false, compact: () => undefined }
    for (const policy of [truncateOldest(), slidingWindow(), summarize({ summary: digest }), custom]) {
      const { result, requests } = await ask(policy, [], {
        info: { contextWindow: 120 },
        instructions: 'i'.repeat(200),
      })
      expect(requests).toEqual([])
      expect(result).toMatchObject({ error: { code: 'context-unsatisfiable', bound: 'window', max: 120 } })
    }
  })

  it('a conversation that fits after a compaction is sent', async () => {
    for (const policy of [
      truncateOldest({ maxTokens: 100 }),
      slidingWindow({ maxTokens: 100 }),
      truncateOldest({ minMessages: 1, maxTokens: 100 }),
    ]) {
      const { result, requests } = await ask(policy, [...huge, ...pairs])
      expect(result).toMatchObject({ status: 'completed' })
      expect(requests).toHaveLength(1)
    }
  })

  it('a request above maxTokens is sent if beforeCompaction forbids the compaction', async () => {
    const { result } = await ask(truncateOldest({ maxTokens: 100, beforeCompaction: () => false }), pairs)
    expect(result).toMatchObject({ status: 'completed' })
  })

  it('an agent without a context policy sends everything', async () => {
    const model = scriptedModel(['ok'], { info: { contextWindow: 120 } })
    const agent = defineAgent({ name: 'a', model, context: 'none', tokenCounter, instructions: 'i'.repeat(500) })
    expect(await createRuntime().run(agent, 'go').result).toMatchObject({ status: 'completed' })
  })
})

describe('applyContextPolicy', () => {
  it('applyContextPolicy returns what the engine would send, with the tokens before and after', async () => {
    const history = [...pairs, userMessage('And now?')]
    const policy = truncateOldest({ maxTokens: 100 })
    const applied = await applyContextPolicy(policy, history, { tokenCounter })
    const { requests } = await ask(policy, pairs)
    expect(applied.messages).toEqual(requests[0]?.messages)
    expect(applied).toMatchObject({ compacted: true, tokens: { before: 232 } })
    expect(applied.tokens.after).toBeLessThanOrEqual(100)
    const same = await applyContextPolicy(slidingWindow(), history, { tokenCounter })
    expect(same).toMatchObject({ compacted: false, messages: history, tokens: { before: 232, after: 232 } })
  })

  it('applyContextPolicy lets a policy ask the model, and counts its usage', async () => {
    const model = scriptedModel([{ text: 'Sum.', usage: { input: 9, output: 3 } }])
    const long = exchange('q'.repeat(500), 'a'.repeat(500))
    const history = [...long, ...long, ...exchange('x', 'y'), userMessage('And now?')]
    const policy = summarize({ maxTokens: 1_500, keepRecentTurns: 1 })
    const applied = await applyContextPolicy(policy, history, { tokenCounter, model })
    expect(applied).toMatchObject({ compacted: true, usage: { input: 9, output: 3 } })
    expect(applied.messages.map(messageText).join()).toContain('Sum.')
    const without = await applyContextPolicy(policy, history, { tokenCounter })
    expect(without.error).toMatchObject({ code: 'config-invalid', path: 'model' })
  })
})
