import type { ModelEvent } from '@parley/core'
import { Ollama, type ChatResponse } from 'ollama'
import { expect, it } from 'vitest'
import { createOllama } from './create-ollama.ts'

const LINES = [
  { message: { role: 'assistant', content: '', thinking: 'Let me ' }, done: false },
  { message: { role: 'assistant', content: '', thinking: 'see.' }, done: false },
  { message: { role: 'assistant', content: 'It is ' }, done: false },
  { message: { role: 'assistant', content: 'warm ☀️' }, done: false },
  {
    message: {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo', days: [1, 2] } } }],
    },
    done: false,
  },
  {
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 30,
    eval_count: 9,
  },
]
const BODY = LINES.map(
  line => `${JSON.stringify({ model: 'qwen3', created_at: '2026-01-01T00:00:00Z', ...line })}\n`,
).join('')

/** Creates a `fetch` that splits the same bytes anywhere, even inside a character. */
const fetch: typeof globalThis.fetch = async () => {
  const bytes = new TextEncoder().encode(BODY)
  let at = 0
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) controller.close()
        else controller.enqueue(bytes.subarray(at, (at += 7)))
      },
    }),
  )
}

it('createOllama reads the same answer from the same bytes as the official client', async () => {
  const events: ModelEvent[] = []
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  const ours = createOllama({ baseUrl: 'http://127.0.0.1:1', fetch }).model('qwen3')
  for await (const event of ours.stream({ system: [], messages, tools: [], settings: {} }, {})) events.push(event)
  const theirs: ChatResponse[] = []
  const client = new Ollama({ host: 'http://127.0.0.1:1', fetch })
  const stream = await client.chat({ model: 'qwen3', messages: [{ role: 'user', content: 'hi' }], stream: true })
  for await (const chunk of stream) theirs.push(chunk)

  const joined = (type: ModelEvent['type']): string =>
    events.map(event => (event.type === type && 'text' in event ? event.text : '')).join('')
  expect(joined('text.delta')).toBe(theirs.map(({ message }) => message.content).join(''))
  expect(joined('reasoning.delta')).toBe(theirs.map(({ message }) => message.thinking ?? '').join(''))
  expect(
    events.flatMap(event => (event.type === 'tool-call' ? [[event.name, JSON.parse(event.arguments) as unknown]] : [])),
  ).toEqual(
    theirs
      .flatMap(({ message }) => message.tool_calls ?? [])
      .map(each => [each.function.name, each.function.arguments]),
  )
  const last = theirs.at(-1)
  expect(events.find(event => event.type === 'usage')?.usage).toMatchObject({
    input: last?.prompt_eval_count,
    output: last?.eval_count,
  })
})
