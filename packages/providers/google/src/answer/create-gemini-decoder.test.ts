import { ParleyError, type ModelEvent } from '@parley/core'
import type { AnswerContext, AnswerDecoder } from '@parley/provider-kit'
import { describe, expect, it } from 'vitest'
import { createGeminiDecoder } from './create-gemini-decoder.ts'

function decode(feed: (decoder: AnswerDecoder) => void) {
  const events: ModelEvent[] = []
  const fail = (detail: string): ParleyError => new ParleyError({ code: 'model-stream', provider: 'google', detail })
  const context: AnswerContext = {
    emit: event => events.push(event),
    parse: json => JSON.parse(json) as unknown,
    reported: body => fail(`reported ${JSON.stringify(body)}`),
    broken: fail,
  }
  let made = 0
  const createCallId = (): string => `made_${++made}`
  const decoder = createGeminiDecoder({ context, provider: 'google', model: 'gemini-3-pro', createCallId })
  try {
    feed(decoder)
    decoder.end()
  } catch (error) {
    return { events, error: (error as ParleyError).info }
  }
  return { events, error: undefined }
}

const stream = (...chunks: unknown[]) =>
  decode(decoder => {
    for (const chunk of chunks) decoder.event(typeof chunk === 'string' ? chunk : JSON.stringify(chunk), '')
  })
const whole = (body: unknown) => decode(decoder => decoder.document(body))

const parts = (...list: object[]) => ({ candidates: [{ content: { parts: list, role: 'model' } }] })
const stop = { candidates: [{ finishReason: 'STOP' }] }
const own = (data: object) => ({ providerData: { provider: 'google', data } })
const signature = { thoughtSignature: 's', model: 'gemini-3-pro' }

describe('createGeminiDecoder', () => {
  it('the Gemini decoder emits thoughts, text, usage and the finish', () => {
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2 }
    const { events } = stream(
      parts({ text: 'hm', thought: true }),
      parts({ text: 'h' }),
      { ...parts({ text: 'i' }), usageMetadata },
      stop,
    )
    expect(events).toEqual([
      { type: 'reasoning.delta', text: 'hm' },
      { type: 'text.delta', text: 'h' },
      { type: 'text.delta', text: 'i' },
      { type: 'usage', usage: { input: 5, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0 } },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the Gemini decoder reads one document and a list of chunks in the same way', () => {
    const expected = [
      { type: 'text.delta', text: 'hi' },
      { type: 'finish', reason: 'stop' },
    ]
    expect(whole({ candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] }).events).toEqual(
      expected,
    )
    expect(whole([parts({ text: 'hi' }), stop]).events).toEqual(expected)
  })

  it('the Gemini decoder emits complete calls, with a new id if the wire has none', () => {
    const { events } = stream(
      parts({ functionCall: { name: 'f', args: { x: 1 } } }, { functionCall: { name: 'g', id: 'w', args: {} } }),
      stop,
    )
    expect(events).toEqual([
      { type: 'tool-call.start', callId: 'made_1', name: 'f' },
      { type: 'tool-call.delta', callId: 'made_1', delta: '{"x":1}' },
      { type: 'tool-call', callId: 'made_1', name: 'f', arguments: '{"x":1}' },
      { type: 'tool-call.start', callId: 'w', name: 'g' },
      { type: 'tool-call.delta', callId: 'w', delta: '{}' },
      { type: 'tool-call', callId: 'w', name: 'g', arguments: '{}', ...own({ id: 'w' }) },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  it('the Gemini decoder gives two calls with the same id different ids, and keeps the id of the wire', () => {
    const call = { functionCall: { name: 'f', id: 'w' } }
    const calls = stream(parts(call, call), stop).events.filter(event => event.type === 'tool-call')
    expect(calls).toMatchObject([
      { callId: 'w', arguments: '{}' },
      { callId: 'made_1', ...own({ id: 'w' }) },
    ])
  })

  it('the Gemini decoder assembles calls that arrive in pieces', () => {
    const more = { willContinue: true }
    const { events } = stream(
      parts({ functionCall: { name: 'f', id: 'w', ...more }, thoughtSignature: 's' }),
      parts({ functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'Flo', ...more }], ...more } }),
      parts({ functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'rence' }], ...more } }),
      parts({ functionCall: {} }),
      parts({ functionCall: { name: 'g', ...more } }),
      stop,
    )
    expect(events.filter(event => event.type === 'tool-call')).toEqual([
      {
        type: 'tool-call',
        callId: 'w',
        name: 'f',
        arguments: '{"city":"Florence"}',
        ...own({ id: 'w', ...signature }),
      },
      { type: 'tool-call', callId: 'made_1', name: 'g', arguments: '{}' },
    ])
  })

  it('the Gemini decoder keeps each signature on its own part', () => {
    const thoughtSignature = 's'
    const { events } = stream(
      parts({ text: 'a' }, { text: 'b', thoughtSignature }, { text: 'c' }),
      parts({ text: '', thoughtSignature }, { text: 'd', thought: true, thoughtSignature }),
      parts({ functionCall: { name: 'f' }, thoughtSignature }),
      stop,
    )
    expect(events).toEqual([
      { type: 'text.delta', text: 'a' },
      { type: 'text.end' },
      { type: 'text.delta', text: 'b' },
      { type: 'text.end', ...own(signature) },
      { type: 'text.delta', text: 'c' },
      { type: 'text.end' },
      { type: 'text.end', ...own(signature) },
      { type: 'reasoning.delta', text: 'd' },
      { type: 'reasoning.end', ...own(signature) },
      { type: 'tool-call.start', callId: 'made_1', name: 'f' },
      { type: 'tool-call.delta', callId: 'made_1', delta: '{}' },
      { type: 'tool-call', callId: 'made_1', name: 'f', arguments: '{}', ...own(signature) },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  it('the Gemini decoder ends each text once', () => {
    const { events } = stream(
      parts({ text: 'a' }, { functionCall: { name: 'f' } }, { text: 'b', thoughtSignature: 's' }),
      stop,
    )
    expect(events.filter(event => event.type === 'text.end')).toEqual([{ type: 'text.end', ...own(signature) }])
  })

  it('the Gemini decoder emits files and keeps unknown parts', () => {
    const code = { executableCode: { code: '1' }, thoughtSignature: 's' }
    const { events } = stream(
      parts(
        { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 's' },
        { fileData: { mimeType: 'text/csv', fileUri: 'https://a.example/b' } },
        code,
      ),
      stop,
    )
    expect(events).toEqual([
      {
        type: 'file',
        part: {
          type: 'file',
          mediaType: 'image/png',
          source: { type: 'base64', data: 'AAAA' },
          ...own(signature),
        },
      },
      {
        type: 'file',
        part: { type: 'file', mediaType: 'text/csv', source: { type: 'url', url: 'https://a.example/b' } },
      },
      { type: 'opaque', ...own({ part: code }) },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the Gemini decoder finishes a blocked prompt with content-filter', () => {
    const body = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { trafficType: 'ON_DEMAND' } }
    expect(stream(body).events).toEqual([{ type: 'finish', reason: 'content-filter' }])
    expect(whole(body).events).toEqual([{ type: 'finish', reason: 'content-filter' }])
  })

  it('the Gemini decoder accepts an answer without parts', () => {
    const empty = { candidates: [{ content: {}, finishReason: 'MAX_TOKENS' }] }
    expect(whole(empty).events).toEqual([{ type: 'finish', reason: 'length' }])
  })

  it('the Gemini decoder reports settled after the finish reason and still reads later chunks', () => {
    decode(decoder => {
      expect(decoder.event(JSON.stringify(parts({ text: 'a' })), '')).toBe('open')
      expect(decoder.event(JSON.stringify(stop), '')).toBe('settled')
      expect(decoder.event('[DONE]', '')).toBe('complete')
    })
    const late = stream(stop, { usageMetadata: { promptTokenCount: 1 } }).events
    expect(late.map(event => event.type)).toEqual(['usage', 'finish'])
  })

  it('the Gemini decoder keeps an image inside a thought as an opaque part', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const thought = { ...picture, thought: true, thoughtSignature: 's' }
    const { events } = stream(parts(thought, picture), stop)
    expect(events.map(event => event.type)).toEqual(['opaque', 'file', 'finish'])
    expect(events[0]).toMatchObject(own({ part: thought }))
  })

  it('the Gemini decoder throws an error that the server reports inside the answer', () => {
    const error = { code: 503, message: 'Busy.', status: 'UNAVAILABLE' }
    for (const wire of [stream(parts({ text: 'a' }), { error }), whole([{ error }])])
      expect(wire.error).toMatchObject({ detail: expect.stringContaining('Busy.') as string })
  })

  it('the Gemini decoder fails if the answer is incomplete', () => {
    expect(stream(parts({ text: 'a' })).error).toMatchObject({ code: 'model-stream' })
    expect(stream('[DONE]').error).toMatchObject({ code: 'model-stream' })
    expect(whole({}).error).toMatchObject({ code: 'model-stream' })
    expect(whole([]).error).toMatchObject({ code: 'model-stream' })
  })
})
