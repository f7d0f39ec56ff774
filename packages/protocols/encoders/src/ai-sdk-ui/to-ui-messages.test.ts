import { defineTool, isEntryEvent, type Entry, type RunEvent, type UserPart } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { readUIMessageStream, validateUIMessages, type UIMessage, type UIMessageChunk } from 'ai'
import { describe, expect, it } from 'vitest'
import { eventsOf, RUNS } from '../__fixtures__/run-events.ts'
import { createUiMessageEncoder, toUiMessages, type UiMessage } from './index.ts'

/** The message that the AI SDK makes of a run's stream. */
async function readBySdk(events: readonly RunEvent[]): Promise<UIMessage | undefined> {
  const encoder = createUiMessageEncoder()
  const chunks = [...events.flatMap(event => encoder.push(event)), ...encoder.end()] as unknown as UIMessageChunk[]
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream: ReadableStream.from(chunks) })) last = message
  return last
}

/** As JSON keeps it. What only a stream has is left out: the raw arguments of a call, and whether an output is preliminary. */
function plain(message: UIMessage | UiMessage | undefined): unknown {
  const text = JSON.stringify(message, (key, value: unknown) =>
    key === 'rawInput' || key === 'preliminary' ? undefined : value,
  )
  return text === undefined ? undefined : JSON.parse(text)
}

const entriesOf = (events: readonly RunEvent[]): readonly Entry[] => events.filter(event => isEntryEvent(event))
/** The journal has nothing of an answer that was discarded or broke off. Nor has it an input that was rejected. */
const recorded = Object.keys(RUNS).filter(
  name => !/^(?:failure|released|rejected|a call that is|truncated answer)/.test(name),
)

describe('toUiMessages', () => {
  it.each(recorded)('the answer is the message that the AI SDK makes of the stream: %s', async name => {
    const events = await eventsOf(name)
    const [runId = ''] = events.map(event => event.runId)
    const [question, ...answers] = toUiMessages(runId, entriesOf(events), { inputId: 'q1' })
    expect(question).toEqual({ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'go' }] })
    const expected = plain(await readBySdk(events)) as UiMessage | undefined
    const isEmpty = expected?.parts.every(({ type }) => type === 'step-start') ?? true
    expect(answers.map(plain)).toEqual(isEmpty ? [] : [expected])
  })

  it.each(Object.keys(RUNS).filter(name => !name.startsWith('rejected')))(
    'the AI SDK accepts the messages: %s',
    async name => {
      const events = await eventsOf(name)
      const messages = toUiMessages('r', entriesOf(events))
      await expect(validateUIMessages({ messages })).resolves.toHaveLength(messages.length)
    },
  )

  it.each([
    ['approved', { type: 'approved' }, { state: 'output-available', output: 'paid' }],
    ['rejected', { type: 'rejected', reason: 'too dear' }, { state: 'output-denied' }],
  ] as const)('an %s call is in the answer with the decision and its result', async (_, decision, expected) => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      permission: 'ask',
      execute: () => 'paid',
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Done.'])
    const store = createMemoryStore()
    const runtime = createRuntime({ agents: [defineAgent({ name: 'guide', model, tools: [pay] })], store })
    const { runId, result } = runtime.run('guide', 'go')
    const waiting = await result
    const approvalId = waiting.status === 'suspended' ? (waiting.approvals[0]?.approvalId ?? '') : ''
    const [, asked] = toUiMessages(runId, await store.read(runId))
    expect(asked?.parts.at(-1)).toMatchObject({ state: 'approval-requested', approval: { id: approvalId } })
    await (
      await runtime.decide(runId, approvalId, { decision })
    ).result
    const messages = toUiMessages(runId, await store.read(runId))
    const call = messages[1]?.parts.find(part => part.type === 'dynamic-tool')
    expect(call).toMatchObject({ ...expected, approval: { id: approvalId, approved: decision.type === 'approved' } })
    expect(messages[1]?.parts.at(-1)).toEqual({ type: 'text', text: 'Done.', state: 'done' })
    await expect(validateUIMessages({ messages })).resolves.toHaveLength(2)
  })

  it('a call of the client has the result that the client has submitted', async () => {
    const agents = [
      defineAgent({
        name: 'guide',
        clientTools: 'accept',
        model: scriptedModel([{ toolCalls: [{ name: 'locate', input: { precise: true } }] }, 'You are in Bern.']),
      }),
    ]
    const store = createMemoryStore()
    const runtime = createRuntime({ agents, store })
    const clientTools = [
      { name: 'locate', description: 'Where the user is.', inputSchema: { type: 'object' as const } },
    ]
    const run = runtime.run('guide', 'Where am I?', { clientTools })
    const { runId } = run
    await run.result
    const [call] = entriesOfCalls(await store.read(runId))
    await (
      await runtime.submitToolResult(runId, call ?? '', { city: 'Bern' })
    ).result
    const [, answer] = toUiMessages(runId, await store.read(runId))
    expect(answer?.parts).toEqual([
      { type: 'step-start' },
      {
        type: 'tool-locate',
        toolCallId: call,
        state: 'output-available',
        input: { precise: true },
        output: { city: 'Bern' },
      },
      { type: 'step-start' },
      { type: 'text', text: 'You are in Bern.', state: 'done' },
    ])
    expect(await validateUIMessages({ messages: toUiMessages(runId, await store.read(runId)) })).toHaveLength(2)
  })

  it('files of the user keep their name, their type and their content', () => {
    const content: UserPart[] = [
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' }, name: 'cat.png' },
    ]
    const asked = { v: 1, seq: 2, at: 0, type: 'message.appended', source: 'input', message: { role: 'user', content } }
    expect(toUiMessages('r', [asked as unknown as Entry])).toEqual([
      {
        id: 'msg_r_0',
        role: 'user',
        parts: [
          { type: 'text', text: 'Look.' },
          { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA', filename: 'cat.png' },
        ],
      },
    ])
  })
})

function entriesOfCalls(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(entry =>
    entry.type === 'message.appended' && entry.message.role === 'assistant'
      ? entry.message.content.flatMap(part => (part.type === 'tool-call' ? [part.callId] : []))
      : [],
  )
}
