import { ParleyError, type ModelEvent } from '@parley/core'
import type { AnswerContext } from '@parley/provider-kit'
import { describe, expect, it } from 'vitest'
import { createMessagesDecoder } from './create-messages-decoder.ts'

function decode(feed: (decoder: ReturnType<typeof createMessagesDecoder>) => void) {
  const events: ModelEvent[] = []
  const fail = (detail: string): ParleyError => new ParleyError({ code: 'model-stream', provider: 'anthropic', detail })
  const context: AnswerContext = {
    emit: event => events.push(event),
    parse: json => JSON.parse(json) as unknown,
    reported: body => fail(`reported ${JSON.stringify(body)}`),
    broken: fail,
  }
  const decoder = createMessagesDecoder({ context, provider: 'anthropic', createCallId: () => 'made' })
  try {
    feed(decoder)
    decoder.end()
  } catch (error) {
    return { events, error: (error as ParleyError).info }
  }
  return { events, error: undefined }
}

const stream = (...wire: unknown[]) =>
  decode(decoder => {
    for (const event of wire) decoder.event(typeof event === 'string' ? event : JSON.stringify(event), '')
  })
const whole = (body: unknown) => decode(decoder => decoder.document(body))

const begin = (id = 'msg_1', usage?: unknown) => ({ type: 'message_start', message: { id, usage } })
const start = (block: unknown, index = 0) => ({ type: 'content_block_start', index, content_block: block })
const delta = (fields: unknown, index = 0) => ({ type: 'content_block_delta', index, delta: fields })
const stop = (index = 0) => ({ type: 'content_block_stop', index })
const text = (words: string, index = 0) => delta({ type: 'text_delta', text: words }, index)
const json = (piece: string, index = 0) => delta({ type: 'input_json_delta', partial_json: piece }, index)
const end = (reason: string, usage?: unknown) => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage },
  { type: 'message_stop' },
]
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
const own = (data: unknown) => ({ provider: 'anthropic', data })

describe('createMessagesDecoder', () => {
  it('the Messages decoder emits text, usage and the finish, and skips unknown events', () => {
    const { events } = stream(
      begin('msg_1', { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 5, service_tier: 'standard' }),
      { type: 'ping' },
      start({ type: 'text', text: '' }),
      text('h'),
      text(''),
      { type: 'news_of_tomorrow' },
      text('i'),
      stop(),
      ...end('end_turn', { output_tokens: 4, input_tokens: null }),
    )
    const usage = { input: 9, output: 1, reasoning: 0, cacheRead: 5, cacheWrite: 0 }
    expect(events).toEqual([
      { type: 'usage', usage },
      { type: 'text.delta', text: 'h' },
      { type: 'text.delta', text: 'i' },
      { type: 'text.end' },
      { type: 'usage', usage: { ...usage, output: 4 } },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the Messages decoder replaces earlier token counts by later ones, but not by null', () => {
    const { events } = stream(
      begin('msg_1', { input_tokens: 2225, output_tokens: 1, cache_read_input_tokens: 7 }),
      ...end('end_turn', { input_tokens: 9447, output_tokens: 12, cache_read_input_tokens: null }),
    )
    expect(events.findLast(event => event.type === 'usage')).toMatchObject({
      usage: { input: 9447, output: 12, cacheRead: 7 },
    })
  })

  it('the Messages decoder emits thoughts with their signature, even if their text is hidden', () => {
    const { events } = stream(
      begin(),
      start({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: 'Hm.' }),
      delta({ type: 'signature_delta', signature: 'ab' }),
      delta({ type: 'signature_delta', signature: 'cd' }),
      stop(),
      start({ type: 'redacted_thinking', data: 'xyz' }, 1),
      stop(1),
      start({ type: 'thinking', thinking: '', signature: 'whole' }, 2),
      stop(2),
      start({ type: 'thinking', thinking: 'unsigned' }, 3),
      stop(3),
      ...end('end_turn'),
    )
    expect(events.slice(0, -1)).toEqual([
      { type: 'reasoning.delta', text: 'Hm.' },
      { type: 'reasoning.end', providerData: own({ signature: 'abcd' }) },
      { type: 'reasoning.end', providerData: own({ redacted_thinking: 'xyz' }) },
      { type: 'reasoning.end', providerData: own({ signature: 'whole' }) },
      { type: 'reasoning.delta', text: 'unsigned' },
      { type: 'reasoning.end' },
    ])
  })

  it('the Messages decoder separates interleaved blocks by their index', () => {
    const { events } = stream(
      begin(),
      start(call, 1),
      start({ ...call, id: 'toolu_2', name: 'g' }, 2),
      json('{"a"', 1),
      json('{"b":2}', 2),
      json(':1}', 1),
      stop(2),
      stop(1),
      ...end('tool_use'),
    )
    expect(events).toEqual([
      { type: 'tool-call.start', callId: 'toolu_1', name: 'f' },
      { type: 'tool-call.start', callId: 'toolu_2', name: 'g' },
      { type: 'tool-call.delta', callId: 'toolu_1', delta: '{"a"' },
      { type: 'tool-call.delta', callId: 'toolu_2', delta: '{"b":2}' },
      { type: 'tool-call.delta', callId: 'toolu_1', delta: ':1}' },
      { type: 'tool-call', callId: 'toolu_2', name: 'g', arguments: '{"b":2}' },
      { type: 'tool-call', callId: 'toolu_1', name: 'f', arguments: '{"a":1}' },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  it('the Messages decoder gives a call without arguments an empty object, unless the answer was truncated there', () => {
    const calls = (...wire: unknown[]) =>
      stream(begin(), ...wire).events.filter(event => event.type === 'tool-call' || event.type === 'finish')
    const bare = [start(call), json(''), stop()]
    const given = { type: 'tool-call', callId: 'toolu_1', name: 'f', arguments: '{}' }
    expect(calls(...bare, ...end('tool_use'))).toEqual([given, { type: 'finish', reason: 'tool-calls' }])
    expect(calls(...bare, start({ type: 'text', text: '' }, 1), ...end('max_tokens'))[0]).toEqual(given)
    expect(calls(...bare, ...end('max_tokens'))).toEqual([
      { ...given, arguments: '' },
      { type: 'finish', reason: 'length' },
    ])
    expect(calls(start(call), json('{"a'), stop(), ...end('max_tokens'))[0]).toMatchObject({ arguments: '{"a' })
  })

  it('the Messages decoder reads arguments that arrive with the start of the block', () => {
    expect(stream(begin(), start({ ...call, input: { a: 1 } }), stop(), ...end('end_turn')).events).toMatchObject([
      { type: 'tool-call.start' },
      { type: 'tool-call', arguments: '{"a":1}' },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  it('the Messages decoder keeps the unusual fields of a tool call', () => {
    const caller = { type: 'code_execution_20260120', tool_id: 'srv' }
    const made = (block: unknown) => stream(begin(), start(block), stop(), ...end('tool_use')).events[1]
    expect(made({ ...call, caller })).toMatchObject({ providerData: own({ call: { caller } }) })
    expect(made({ ...call, caller: { type: 'direct' } })).not.toHaveProperty('providerData')
  })

  it('the Messages decoder keeps the blocks of server tools unchanged', () => {
    const use = { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} }
    const found = { type: 'web_search_tool_result', tool_use_id: 'srv', content: [{ encrypted_content: 'e' }] }
    const { events } = stream(
      begin(),
      start(use),
      json('{"query":'),
      json('"x"}'),
      stop(),
      start(found, 1),
      stop(1),
      start({ type: 'compaction', content: null }, 2),
      delta({ type: 'compaction_delta', content: 'so ' }, 2),
      delta({ type: 'compaction_delta', content: 'far' }, 2),
      stop(2),
      ...end('pause_turn'),
    )
    expect(events).toEqual([
      { type: 'opaque', providerData: own({ block: { ...use, input: { query: 'x' } } }) },
      { type: 'opaque', providerData: own({ block: found }) },
      { type: 'opaque', providerData: own({ block: { type: 'compaction', content: 'so far' } }) },
      { type: 'finish', reason: 'pause' },
    ])
  })

  it('the Messages decoder keeps the citations of a web search with their text, and drops other citations', () => {
    const cited = { type: 'web_search_result_location', encrypted_index: 'e' }
    const citation = (value: unknown) => delta({ type: 'citations_delta', citation: value })
    const { events } = stream(
      begin(),
      start({ type: 'text', text: 'So', citations: [] }),
      citation(cited),
      citation({ type: 'char_location', file_id: null }),
      stop(),
      ...end('end_turn'),
    )
    expect(events.slice(0, 2)).toEqual([
      { type: 'text.delta', text: 'So' },
      { type: 'text.end', providerData: own({ citations: [cited] }) },
    ])
  })

  it('the Messages decoder reads an answer in one document', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'hi' },
      { ...call, input: { a: 1 } },
    ]
    const usage = { input_tokens: 3, output_tokens: 2 }
    const { events } = whole({ type: 'message', content, stop_reason: 'tool_use', usage })
    expect(events.map(event => event.type)).toEqual([
      'reasoning.delta',
      'reasoning.end',
      'text.delta',
      'text.end',
      'tool-call.start',
      'tool-call',
      'usage',
      'finish',
    ])
    expect(whole({ type: 'error', error: { message: 'Oops.' } }).error).toMatchObject({
      detail: expect.stringContaining('reported') as string,
    })
    expect(whole({}).error).toMatchObject({ detail: expect.stringContaining('without an answer') as string })
  })

  it('the Messages decoder ignores a repeated message start', () => {
    const { events } = stream(begin(), begin(), start({ type: 'text', text: 'a' }), begin(), stop(), ...end('end_turn'))
    expect(events.filter(event => event.type === 'text.delta')).toHaveLength(1)
  })

  it('the Messages decoder accepts a second message before the first block and fails after it', () => {
    expect(stream(begin('a'), begin('b'), ...end('end_turn')).events).toEqual([{ type: 'finish', reason: 'stop' }])
    expect(stream(begin('a'), start({ type: 'text', text: 'x' }), begin('b'), ...end('end_turn')).error).toMatchObject({
      code: 'model-stream',
      detail: expect.stringContaining('second message') as string,
    })
  })

  it('the Messages decoder throws an error that the server reports inside the answer', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    expect(stream(begin(), { type: 'error', error }).error).toMatchObject({
      detail: expect.stringContaining('Overloaded') as string,
    })
    expect(decode(decoder => decoder.event('{"message":"Bare."}', 'error')).error).toMatchObject({
      detail: expect.stringContaining('Bare.') as string,
    })
  })

  it('the Messages decoder fails if the stream ends without message_stop', () => {
    const [last] = end('end_turn')
    for (const wire of [[], [begin()], [begin(), last], [begin(), last, '[DONE]']])
      expect(stream(...wire).error).toMatchObject({ detail: expect.stringContaining('ended before') as string })
  })

  it('the Messages decoder ends blocks that the server left open', () => {
    const { events } = stream(begin(), start(call), json('{}'), ...end('end_turn'))
    expect(events.at(-2)).toMatchObject({ type: 'tool-call', arguments: '{}' })
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('the Messages decoder creates an id for a tool call without one', () => {
    const content = [{ type: 'tool_use', id: '', name: 'f', input: { x: 1 } }]
    expect(whole({ content, stop_reason: 'tool_use' }).events).toMatchObject([
      { type: 'tool-call.start', callId: 'made' },
      { type: 'tool-call', callId: 'made', arguments: '{"x":1}' },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })
})
