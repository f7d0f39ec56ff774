import { ParleyError, type ModelEvent } from '@parley/core'
import type { AnswerContext, AnswerDecoder } from '@parley/provider-kit'
import { describe, expect, it } from 'vitest'
import { createChatDecoder } from './create-chat-decoder.ts'

function decode(feed: (decoder: AnswerDecoder) => void, fitsIn?: number) {
  const events: ModelEvent[] = []
  const fail = (detail: string): ParleyError => new ParleyError({ code: 'model-stream', provider: 'ollama', detail })
  const context: AnswerContext = {
    emit: event => events.push(event),
    parse: json => JSON.parse(json) as unknown,
    reported: body => fail(`reported ${JSON.stringify(body)}`),
    broken: fail,
  }
  let made = 0
  const createCallId = (): string => `made_${++made}`
  const decoder = createChatDecoder({ context, provider: 'ollama', createCallId, fitsIn })
  try {
    feed(decoder)
    decoder.end()
  } catch (error) {
    return { events, error: (error as ParleyError).info }
  }
  return { events, error: undefined }
}

const stream = (...lines: object[]) =>
  decode(decoder => {
    for (const line of lines) decoder.event(JSON.stringify(line), '')
  })
const say = (message: object) => ({ message: { role: 'assistant', content: '', ...message }, done: false })
const done = (more: object = { done_reason: 'stop' }) => ({ message: { content: '' }, done: true, ...more })
const call = (fields: object, args: unknown = {}) => ({ ...fields, function: { name: 'f', arguments: args } })

describe('createChatDecoder', () => {
  it('the Ollama decoder emits thoughts, text, usage and the finish', () => {
    const counts = { done_reason: 'stop', prompt_eval_count: 5, eval_count: 2 }
    expect(stream(say({ thinking: 'hm' }), say({ content: 'h' }), say({ content: 'i' }), done(counts)).events).toEqual([
      { type: 'reasoning.delta', text: 'hm' },
      { type: 'text.delta', text: 'h' },
      { type: 'text.delta', text: 'i' },
      { type: 'usage', usage: { input: 5, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0 } },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the Ollama decoder reads one document', () => {
    expect(decode(decoder => decoder.document(done({ message: { content: 'hi' } }))).events).toEqual([
      { type: 'text.delta', text: 'hi' },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the Ollama decoder emits calls that finish with stop, with new ids if the wire has none', () => {
    const { events } = stream(say({ tool_calls: [call({}, { x: 1 }), call({ id: 'w' }), call({ id: 'w' })] }), done())
    expect(events).toMatchObject([
      { type: 'tool-call.start', callId: 'made_1', name: 'f' },
      { type: 'tool-call.delta', callId: 'made_1', delta: '{"x":1}' },
      { type: 'tool-call', callId: 'made_1', name: 'f', arguments: '{"x":1}' },
      { type: 'tool-call.start', callId: 'w' },
      { type: 'tool-call.delta' },
      { type: 'tool-call', callId: 'w', providerData: { provider: 'ollama', data: { id: 'w' } } },
      { type: 'tool-call.start', callId: 'made_2' },
      { type: 'tool-call.delta' },
      { type: 'tool-call', callId: 'made_2', providerData: { provider: 'ollama', data: { id: 'w' } } },
      { type: 'finish', reason: 'tool-calls' },
    ])
    expect(events[2]).not.toHaveProperty('providerData')
  })

  it('the Ollama decoder accepts arguments that arrive as text', () => {
    expect(stream(say({ tool_calls: [call({}, '{"x":1}')] }), done()).events[2]).toMatchObject({ arguments: '{"x":1}' })
  })

  it('the Ollama decoder converts the done reason', () => {
    const finish = (reason: object) => stream(done(reason)).events.at(-1)
    expect(finish({ done_reason: 'length' })).toEqual({ type: 'finish', reason: 'length' })
    expect(finish({ done_reason: 'load' })).toEqual({ type: 'finish', reason: 'other' })
    expect(finish({})).toEqual({ type: 'finish', reason: 'stop' })
    expect(stream(say({ tool_calls: [call({})] }), done({ done_reason: 'length' })).events.at(-1)).toEqual({
      type: 'finish',
      reason: 'length',
    })
  })

  it('the Ollama decoder emits no usage if the counts are unknown', () => {
    expect(stream(done()).events).toEqual([{ type: 'finish', reason: 'stop' }])
    expect(stream(done({ eval_count: 3 })).events[0]).toMatchObject({ usage: { input: 0, output: 3 } })
  })

  it('the Ollama decoder throws an error that the server reports inside the answer', () => {
    expect(stream(say({ content: 'h' }), { error: 'model runner has unexpectedly stopped' }).error).toMatchObject({
      detail: expect.stringContaining('unexpectedly stopped') as string,
    })
  })

  it('the Ollama decoder fails if the answer is incomplete', () => {
    expect(stream(say({ content: 'h' })).error).toMatchObject({ code: 'model-stream' })
    expect(decode(decoder => decoder.document({})).error).toMatchObject({ code: 'model-stream' })
  })

  it('the Ollama decoder reports a conversation that was truncated to the window', () => {
    const counts = done({ done_reason: 'stop', prompt_eval_count: 16, eval_count: 2 })
    const cutTo = (window?: number) => decode(decoder => void decoder.event(JSON.stringify(counts), ''), window)
    expect(cutTo(16).error).toMatchObject({ detail: expect.stringContaining('max context length') as string })
    expect(cutTo(17).error).toBeUndefined()
    expect(cutTo().error).toBeUndefined()
  })
})
