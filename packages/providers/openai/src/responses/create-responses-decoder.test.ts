import { ParleyError, type ModelEvent } from '@parley/core'
import type { AnswerContext } from '@parley/provider-kit'
import { describe, expect, it } from 'vitest'
import { createResponsesDecoder } from './create-responses-decoder.ts'

function decode(feed: (decoder: ReturnType<typeof createResponsesDecoder>) => void) {
  const events: ModelEvent[] = []
  const fail = (detail: string): ParleyError => new ParleyError({ code: 'model-stream', provider: 'acme', detail })
  const context: AnswerContext = {
    emit: event => events.push(event),
    parse: json => JSON.parse(json) as unknown,
    reported: body => fail(`reported ${JSON.stringify(body)}`),
    broken: fail,
  }
  const decoder = createResponsesDecoder({ context, provider: 'acme', createCallId: () => 'made' })
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

const text = (delta: string, index = 0) => ({ type: 'response.output_text.delta', output_index: index, delta })
const added = (item: unknown, index = 0) => ({ type: 'response.output_item.added', output_index: index, item })
const done = (item: unknown, index = 0) => ({ type: 'response.output_item.done', output_index: index, item })
const completed = (response: object = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', error: null, ...response },
})
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"x":1}' }
const message = { type: 'message', content: [{ type: 'output_text', text: 'hi' }] }

const refused = { provider: 'acme', data: { refusal: true } }

describe('createResponsesDecoder', () => {
  it('the Responses decoder emits streamed text once, usage and the finish', () => {
    const usage = { input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } }
    const { events } = stream(added(message), text('h'), text('i'), done(message), completed({ usage }), '[DONE]')
    expect(events).toEqual([
      { type: 'text.delta', text: 'h' },
      { type: 'text.delta', text: 'i' },
      { type: 'usage', usage: { input: 6, output: 2, reasoning: 0, cacheRead: 4, cacheWrite: 0 } },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the Responses decoder emits text without deltas, from the item, the last event or one document', () => {
    const expected = [
      { type: 'text.delta', text: 'hi' },
      { type: 'finish', reason: 'stop' },
    ]
    expect(stream(done(message), completed({ output: [message] })).events).toEqual(expected)
    expect(stream(completed({ output: [message] })).events).toEqual(expected)
    expect(whole({ status: 'completed', output: [message] }).events).toEqual(expected)
  })

  it('the Responses decoder identifies calls by position if every id changes', () => {
    const { events } = stream(
      added({ ...call, arguments: '' }, 1),
      { type: 'response.function_call_arguments.delta', item_id: 'other', output_index: 1, delta: '{"x":1}' },
      done({ ...call, id: 'third' }, 1),
      completed(),
    )
    expect(events).toEqual([
      { type: 'tool-call.start', callId: 'call_1', name: 'f' },
      { type: 'tool-call.delta', callId: 'call_1', delta: '{"x":1}' },
      { type: 'tool-call', callId: 'call_1', name: 'f', arguments: '{"x":1}' },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  it('the Responses decoder creates an id for a call without one, and emits the input of a custom tool as JSON', () => {
    expect(stream(done({ ...call, call_id: undefined }), completed()).events[1]).toMatchObject({ callId: 'made' })
    const custom = { type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'raw "text"' }
    expect(stream(done(custom), completed()).events[1]).toMatchObject({
      arguments: '"raw \\"text\\""',
      providerData: { provider: 'acme', data: { custom: true } },
    })
  })

  it('the Responses decoder emits reasoning once and keeps the encrypted content of the complete item', () => {
    const summary = [{ type: 'summary_text', text: 'a' }]
    const delta = (value: string, part: number) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: part,
      delta: value,
    })
    const { events } = stream(
      added({ type: 'reasoning', encrypted_content: 'early' }),
      delta('a', 0),
      delta('b', 1),
      { type: 'response.reasoning_text.delta', output_index: 0, delta: 'the same again' },
      done({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'late' }),
      completed(),
    )
    expect(events).toEqual([
      { type: 'reasoning.delta', text: 'a' },
      { type: 'reasoning.delta', text: '\n\nb' },
      {
        type: 'reasoning.end',
        providerData: { provider: 'acme', data: { reasoning: { summary, encrypted_content: 'late' } } },
      },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the Responses decoder keeps unknown items, and finishes with tool-calls if the client must act', () => {
    const search = stream(done({ type: 'web_search_call', id: 'ws_1' }), completed()).events
    expect(search[0]).toMatchObject({ type: 'opaque', providerData: { data: { item: { id: 'ws_1' } } } })
    expect(search[1]).toEqual({ type: 'finish', reason: 'stop' })
    expect(stream(done({ type: 'local_shell_call' }), completed()).events[1]).toEqual({
      type: 'finish',
      reason: 'tool-calls',
    })
  })

  it('the Responses decoder reports why an answer is incomplete, and reports refusals', () => {
    const incomplete = (reason: string) => ({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason } },
    })
    expect(stream(incomplete('max_output_tokens')).events).toEqual([{ type: 'finish', reason: 'length' }])
    expect(stream(incomplete('content_filter')).events).toEqual([{ type: 'finish', reason: 'content-filter' }])
    const refusal = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }
    expect(whole({ status: 'completed', output: [refusal] }).events).toEqual([
      { type: 'text.delta', text: 'No.' },
      { type: 'text.end', providerData: refused },
      { type: 'finish', reason: 'refusal' },
    ])
    expect(whole({ status: 'queued', output: [] }).events).toEqual([{ type: 'finish', reason: 'other' }])
  })

  it('the Responses decoder separates a refusal from the text before it', () => {
    const parts = [
      { type: 'output_text', text: 'part' },
      { type: 'refusal', refusal: 'I cannot.' },
    ]
    const item = { type: 'message', content: parts, phase: 'final_answer' }
    const expected = (data: object) => [
      { type: 'text.delta', text: 'part' },
      { type: 'text.end' },
      { type: 'text.delta', text: '\n\nI cannot.' },
      { type: 'text.end', providerData: { provider: 'acme', data: { ...data, refusal: true } } },
      { type: 'finish', reason: 'refusal' },
    ]
    const no = { type: 'response.refusal.delta', output_index: 0, delta: 'I cannot.' }
    expect(stream(text('part'), no, done(item), completed()).events).toEqual(expected({ phase: 'final_answer' }))
    expect(stream(text('part'), no, completed()).events).toEqual(expected({}))
    expect(whole({ status: 'completed', output: [item] }).events).toEqual(expected({ phase: 'final_answer' }))
  })

  it('the Responses decoder emits the cost that the server states', () => {
    const usage = { input_tokens: 1, output_tokens: 1, cost_in_usd_ticks: 10_000_000_000 }
    expect(stream(text('x'), completed({ usage })).events).toContainEqual(
      expect.objectContaining({ type: 'usage', costUsd: 1 }),
    )
  })

  it('the Responses decoder throws a reported error in each form', () => {
    const error = { code: 'server_error', message: 'Oops.' }
    for (const wire of [
      { type: 'error', ...error },
      { type: 'error', error },
      { type: 'response.failed', response: { status: 'failed', error } },
    ])
      expect(stream(text('h'), wire).error).toMatchObject({ detail: expect.stringContaining('Oops.') as string })
    expect(whole({ error }).error).toMatchObject({ detail: expect.stringContaining('reported') as string })
  })

  it('the Responses decoder throws an error that llama.cpp sends in a field named error', () => {
    const { error } = decode(decoder => {
      decoder.event(JSON.stringify(text('h')), '')
      decoder.event('{"code":500,"message":"Oops."}', 'error')
    })
    expect(error).toMatchObject({ detail: expect.stringContaining('reported {"code":500') as string })
  })

  it('the Responses decoder finishes with tool-calls for a tool search that the client must run', () => {
    const search = { type: 'tool_search_call', call_id: 'c', arguments: { goal: 'x' } }
    const finishOf = (execution: string): unknown =>
      whole({ status: 'completed', output: [{ ...search, execution }] }).events.at(-1)
    expect(finishOf('client')).toEqual({ type: 'finish', reason: 'tool-calls' })
    expect(finishOf('server')).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('the Responses decoder fails if the answer is incomplete', () => {
    expect(stream(text('h')).error).toMatchObject({ code: 'model-stream' })
    expect(stream(text('h'), '[DONE]').error).toMatchObject({ code: 'model-stream' })
    expect(whole({ id: 'resp_1' }).error).toMatchObject({ code: 'model-stream' })
  })
})
