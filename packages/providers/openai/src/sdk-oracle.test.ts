import type { Message, ModelEvent } from '@parley/core'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { createOpenAI, type OpenAIOptions } from './create-openai.ts'

/** Creates a `fetch` that answers every request with the same events, split anywhere, even inside a character. */
function replaying(events: readonly unknown[]): typeof globalThis.fetch {
  const lines = events.map(event => {
    const name = (event as { type?: string }).type
    return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`
  })
  const bytes = new TextEncoder().encode(`${lines.join('')}data: [DONE]\n\n`)
  return async () => {
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) controller.close()
        else controller.enqueue(bytes.subarray(at, (at += 7)))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

async function askOurs(options: OpenAIOptions): Promise<readonly ModelEvent[]> {
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]
  const events: ModelEvent[] = []
  const stream = createOpenAI({ apiKey: 'k', ...options }).model('gpt-5')
  for await (const event of stream.stream({ system: [], messages, tools: [], settings: {} }, {})) events.push(event)
  return events
}

const textOf = (events: readonly ModelEvent[]): string =>
  events.map(event => (event.type === 'text.delta' ? event.text : '')).join('')
const callsOf = (events: readonly ModelEvent[]): readonly unknown[] =>
  events.flatMap(event => (event.type === 'tool-call' ? [[event.callId, event.name, event.arguments]] : []))
const usageOf = (events: readonly ModelEvent[]) => events.findLast(event => event.type === 'usage')?.usage

describe('the same bytes give what the official client reads', () => {
  it('createOpenAI reads the same chat completion from the same bytes as the official client', async () => {
    const chunk = (delta: object, finish: string | null = null) => ({
      id: 'chatcmpl-own',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'gpt-5',
      choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
    })
    const fragment = (index: number, fields: object) => chunk({ tool_calls: [{ index, ...fields }] })
    const begin = (index: number, id: string, name: string) =>
      fragment(index, { id, type: 'function', function: { name, arguments: '' } })
    const usage = {
      prompt_tokens: 90,
      completion_tokens: 31,
      total_tokens: 121,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 12 },
    }
    const fetch = replaying([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Grüße 🌍, ' }),
      chunk({ content: 'gleich.' }),
      begin(0, 'call_a', 'weather'),
      fragment(0, { function: { arguments: '{"city":"Zü' } }),
      begin(1, 'call_b', 'time'),
      fragment(1, { function: { arguments: '{}' } }),
      fragment(0, { function: { arguments: 'rich"}' } }),
      chunk({}, 'tool_calls'),
      { ...chunk({}), choices: [], usage },
    ])
    const ours = await askOurs({ fetch })
    const runner = new OpenAI({ apiKey: 'k', fetch }).chat.completions.stream({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'hi' }],
      stream_options: { include_usage: true },
    })
    const theirs = await runner.finalChatCompletion()
    const message = theirs.choices[0]?.message
    expect(textOf(ours)).toBe(message?.content)
    expect(callsOf(ours)).toEqual(
      message?.tool_calls?.map(call =>
        call.type === 'function' ? [call.id, call.function.name, call.function.arguments] : undefined,
      ),
    )
    const { input = 0, cacheRead = 0, output, reasoning } = usageOf(ours) ?? {}
    expect({ prompt: input + cacheRead, cacheRead, output, reasoning }).toEqual({
      prompt: theirs.usage?.prompt_tokens,
      cacheRead: theirs.usage?.prompt_tokens_details?.cached_tokens,
      output: theirs.usage?.completion_tokens,
      reasoning: theirs.usage?.completion_tokens_details?.reasoning_tokens,
    })
    expect(ours.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
    expect(theirs.choices[0]?.finish_reason).toBe('tool_calls')
  })

  it('createOpenAI reads the same response from the same bytes as the official client', async () => {
    const part = { type: 'output_text', text: '', annotations: [] }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    const call = {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'call_a',
      name: 'weather',
      arguments: '',
      status: 'in_progress',
    }
    const whole = { ...message, status: 'completed', content: [{ ...part, text: 'Grüße 🌍.' }] }
    const wholeCall = { ...call, status: 'completed', arguments: '{"city":"Zürich"}' }
    const response = {
      id: 'resp_1',
      object: 'response',
      status: 'in_progress',
      model: 'gpt-5',
      output: [],
      usage: null,
    }
    const usage = {
      input_tokens: 90,
      input_tokens_details: { cached_tokens: 64 },
      output_tokens: 31,
      output_tokens_details: { reasoning_tokens: 12 },
      total_tokens: 121,
    }
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const callAt = { item_id: 'fc_1', output_index: 1 }
    const events = [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: message },
      { type: 'response.content_part.added', ...at, part },
      { type: 'response.output_text.delta', ...at, delta: 'Grüße ' },
      { type: 'response.output_text.delta', ...at, delta: '🌍.' },
      { type: 'response.output_text.done', ...at, text: 'Grüße 🌍.' },
      { type: 'response.content_part.done', ...at, part: whole.content[0] },
      { type: 'response.output_item.done', output_index: 0, item: whole },
      { type: 'response.output_item.added', output_index: 1, item: call },
      { type: 'response.function_call_arguments.delta', ...callAt, delta: '{"city":' },
      { type: 'response.function_call_arguments.delta', ...callAt, delta: '"Zürich"}' },
      { type: 'response.function_call_arguments.done', ...callAt, arguments: '{"city":"Zürich"}' },
      { type: 'response.output_item.done', output_index: 1, item: wholeCall },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [whole, wholeCall], usage } },
    ].map((event, index) => ({ ...event, sequence_number: index }))
    const fetch = replaying(events)
    const ours = await askOurs({ fetch, api: 'responses' })
    const stream = await new OpenAI({ apiKey: 'k', fetch }).responses.create({
      model: 'gpt-5',
      input: 'hi',
      stream: true,
    })
    const theirs: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of stream) theirs.push(event)
    const end = theirs.find(event => event.type === 'response.completed')?.response
    expect(textOf(ours)).toBe(
      theirs.map(event => (event.type === 'response.output_text.delta' ? event.delta : '')).join(''),
    )
    expect(callsOf(ours)).toEqual(
      end?.output.flatMap(item => (item.type === 'function_call' ? [[item.call_id, item.name, item.arguments]] : [])),
    )
    const { input = 0, cacheRead = 0, output, reasoning } = usageOf(ours) ?? {}
    expect({ prompt: input + cacheRead, cacheRead, output, reasoning }).toEqual({
      prompt: end?.usage?.input_tokens,
      cacheRead: end?.usage?.input_tokens_details.cached_tokens,
      output: end?.usage?.output_tokens,
      reasoning: end?.usage?.output_tokens_details.reasoning_tokens,
    })
  })
})
