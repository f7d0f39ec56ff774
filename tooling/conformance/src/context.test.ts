import { messageText, type ContextPolicy, type Message } from '@parley/core'
import { createTokenCounter, type Agent } from '@parley/engine'
import { isValidTranscript } from '@parley/engine/journal'
import { phiCompaction, slidingWindow, summarize, truncateOldest } from '@parley/context-policies'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { assistant, eventsOf } from './__fixtures__/assistant.ts'

const tooLong = { error: { code: 'model-context-length', provider: 'p', detail: 'too long' } } as const
/** One token for each character, so that a reader can compute the limits. */
const tokenCounter = createTokenCounter(text => text.length)
const summaryModel = () => scriptedModel(() => 'They talked.')
const POLICIES: readonly (readonly [string, () => ContextPolicy])[] = [
  ['truncate', () => truncateOldest({ maxTokens: 900 })],
  ['window', () => slidingWindow({ maxMessages: 8 })],
  ['summarize', () => summarize({ model: summaryModel(), maxTokens: 900, keepRecentTurns: 2 })],
  [
    'phi',
    () => phiCompaction({ maxContextTokens: 1_000, systemPromptTokens: 1, keepRecentTurns: 2, keepFirstTurns: 1 }),
  ],
]

/** A long conversation of questions, tool calls and their results. */
function history(rounds: number): Message[] {
  return Array.from({ length: rounds }, (_, index): Message[] => [
    { role: 'user', content: [{ type: 'text', text: `Question ${index}, ${'and so on '.repeat(4)}` }] },
    { role: 'assistant', content: [{ type: 'tool-call', callId: `c${index}`, name: 'add', arguments: '{"a":1}' }] },
    { role: 'tool', callId: `c${index}`, name: 'add', content: [{ type: 'text', text: 'result '.repeat(5) }] },
    { role: 'assistant', content: [{ type: 'text', text: `Answer ${index}.` }] },
  ]).flat()
}

function talker(context: ContextPolicy, fields: Partial<Agent> = {}) {
  return assistant(() => 'Fine.', { context, tokenCounter, instructions: 'Be kind.\n  Always. ', ...fields })
}

it.each(POLICIES)(
  '1: each tool call keeps its one result directly after its message when the policy shortens the conversation: %s',
  async (_, policy) => {
    const { model, runtime } = talker(policy())
    const result = await runtime.run('a', 'go', { history: history(12) }).result
    for (const { messages } of model.requests) expect(isValidTranscript(messages)).toBe(true)
    expect(isValidTranscript(result.messages)).toBe(true)
    expect(result.messages).toHaveLength(50)
  },
)

it.each(POLICIES)(
  '2: a compacted conversation is not compacted again, and the model receives the compacted messages: %s',
  async (_, policy) => {
    const { model, runtime } = talker(policy())
    const run = runtime.run('a', 'go', { history: history(12) })
    await run.followUp('and?')
    const compactions = (await eventsOf(run)).filter(event => event.type === 'context.compacted')
    expect(compactions).toHaveLength(1)
    const [first, second] = model.requests.map(({ messages }) => messages)
    expect(first).toHaveLength(compactions[0]?.after.messages ?? -1)
    expect(second?.slice(0, first?.length)).toEqual(first)
  },
)

it.each(POLICIES)('3: the instructions are unchanged after compaction: %s', async (_, policy) => {
  const { model, runtime } = talker(policy())
  await runtime.run('a', 'go', { history: history(12) }).result
  expect(model.requests[0]?.system).toEqual([{ text: 'Be kind.\n  Always. ' }])
})

it.each(POLICIES.filter(([name]) => name !== 'window'))(
  '4: the compacted conversation is shorter than the limit that triggers compaction: %s',
  async (_, policy) => {
    const run = talker(policy()).runtime.run('a', 'go', { history: history(12) })
    const compacted = (await eventsOf(run)).find(event => event.type === 'context.compacted')
    expect(compacted?.before.tokens).toBeGreaterThan(850)
    expect(compacted?.after.tokens).toBeLessThan(850)
  },
)

it('18: a context-length error causes one compaction and one retry; a second one fails the run', async () => {
  const twice = assistant([tooLong, 'Fine.'], { context: slidingWindow(), tokenCounter })
  const good = twice.runtime.run('a', 'go', { history: history(12) })
  expect((await eventsOf(good)).filter(({ type }) => type === 'context.compacted')).toMatchObject([
    { trigger: 'overflow' },
  ])
  expect(await good.result).toMatchObject({ status: 'completed', text: 'Fine.' })
  const never = assistant(() => tooLong, { context: slidingWindow(), tokenCounter })
  const bad = await never.runtime.run('a', 'go', { history: history(12) }).result
  expect(bad).toMatchObject({ status: 'failed', error: { code: 'model-context-length' } })
  expect(never.model.requests).toHaveLength(2)
})

it('a context policy does not restore messages that a handoff has hidden; the next run of the session sees them', async () => {
  const model = scriptedModel(({ messages }) => messages.map(messageText).join('|'))
  const back = {
    name: 'back',
    model,
    context: phiCompaction({ maxContextTokens: 40, systemPromptTokens: 1 }),
    tokenCounter,
  }
  const handoff = { toolCalls: [{ name: 'give' }] }
  const give = {
    name: 'give',
    description: 'd',
    input: { type: 'object' },
    execute: async () =>
      (await import('@parley/core')).toolHandoff('back', { task: 'Task alone.', carryContext: false }),
  }
  const { runtime, sent } = assistant([handoff, 'Again.'], { tools: [give], handoffs: [back] })
  const { sessionId, text } = await runtime.invoke('a', 'My secret.')
  expect(text).toBe('Task alone.')
  await runtime.run('a', 'And now?', { sessionId }).result
  expect(sent(1)[0]).toBe('My secret.')
})
