import Anthropic from '@anthropic-ai/sdk'
import type { Message } from '@anthropic-ai/sdk/resources/messages'
import type { ModelEvent } from '@parley/core'
import { expect, it } from 'vitest'
import { answers } from './__fixtures__/answers.ts'
import { collectAnswer } from './__fixtures__/collect-answer.ts'
import { createAnthropic } from './create-anthropic.ts'
import { encodeAssistant } from './request/encode-assistant.ts'

const reply = (bytes: string): typeof globalThis.fetch => {
  const headers = { 'content-type': 'text/event-stream' }
  return async () => new Response(bytes, { headers })
}

async function ours(bytes: string, wire: 'stream' | 'json'): Promise<ModelEvent[]> {
  const model = createAnthropic({ apiKey: 'k', fetch: reply(bytes), wire }).model('claude-haiku-4-5')
  const events: ModelEvent[] = []
  for await (const event of model.stream({ system: [], messages: [], tools: [], settings: {} }, {})) events.push(event)
  return events
}

function theirs(bytes: string): Promise<Message> {
  const client = new Anthropic({ apiKey: 'k', fetch: reply(bytes), maxRetries: 0 })
  return client.messages.stream({ model: 'claude-haiku-4-5', max_tokens: 9, messages: [] }).finalMessage()
}

const replayed = (events: readonly ModelEvent[]): unknown[] =>
  encodeAssistant(collectAnswer(events), { provider: 'anthropic', model: 'claude-haiku-4-5' }).map(
    ({ json }) => JSON.parse(json) as unknown,
  )
// The official client writes missing citations as null.
const plain = (message: Message): unknown[] =>
  message.content.map(block =>
    Object.fromEntries(Object.entries(block).filter(([name, value]) => name !== 'citations' || value !== null)),
  )

it.each(Object.keys(answers) as (keyof typeof answers)[])(
  'the provider sends back the same content and counts the same tokens as the official client: %s',
  async name => {
    const bytes = answers[name]
    const message = await theirs(bytes)
    const events = await ours(bytes, 'stream')
    expect(replayed(events)).toEqual(plain(message))
    const { usage } = message
    expect(events.findLast(event => event.type === 'usage')).toEqual({
      type: 'usage',
      usage: {
        input: usage.input_tokens,
        output: usage.output_tokens,
        reasoning: 40,
        cacheRead: usage.cache_read_input_tokens,
        cacheWrite: usage.cache_creation_input_tokens,
      },
    })
    const finish = { end_turn: 'stop', tool_use: 'tool-calls', pause_turn: 'pause', max_tokens: 'length' } as const
    expect(events.at(-1)).toEqual({ type: 'finish', reason: finish[message.stop_reason as keyof typeof finish] })
  },
)

it.each(Object.keys(answers) as (keyof typeof answers)[])(
  'the provider reads the same answer from one document as from a stream: %s',
  async name => {
    const document = await theirs(answers[name])
    const events = await ours(JSON.stringify(document), 'json')
    expect(replayed(events)).toEqual(plain(document))
  },
)
