import { ParleyError, type Message, type ModelEvent } from '@parley/core'
import type { AnswerContext } from '@parley/provider-kit'
import { describe, expect, it } from 'vitest'
import { createChatDecoder } from './create-chat-decoder.ts'

interface Options {
  readonly thinkTags?: 'keep' | 'split' | 'implied'
  readonly messages?: readonly Message[]
}

function fail(detail: string): ParleyError {
  return new ParleyError({ code: 'model-stream', provider: 'acme', detail })
}

/** Returns the events of an answer, and its error if it fails. */
function decode(chunks: readonly unknown[], { thinkTags = 'keep', messages = [] }: Options = {}) {
  const events: ModelEvent[] = []
  const context: AnswerContext = {
    emit: event => events.push(event),
    parse: json => JSON.parse(json) as unknown,
    reported: body => fail(`reported ${JSON.stringify(body)}`),
    broken: fail,
  }
  const decoder = createChatDecoder({
    context,
    provider: 'acme',
    thinkTags,
    messages,
    createCallId: () => 'made',
  })
  const progress: string[] = []
  try {
    for (const chunk of chunks)
      progress.push(decoder.event(typeof chunk === 'string' ? chunk : JSON.stringify(chunk), ''))
    decoder.end()
  } catch (error) {
    return { events, progress, error: (error as ParleyError).info }
  }
  return { events, progress, error: undefined }
}

const delta = (value: unknown, finish: string | null = null): unknown => ({
  choices: [{ index: 0, delta: value, finish_reason: finish }],
})
const usage = { prompt_tokens: 3, completion_tokens: 2 }
const counted = { type: 'usage', usage: { input: 3, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0 } }

const refusal = { provider: 'acme', data: { refusal: true } }

describe('createChatDecoder', () => {
  it('the chat decoder emits text, usage and the finish', () => {
    const { events, progress } = decode([
      { choices: [], prompt_filter_results: [] },
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'He' }),
      delta({ content: 'llo' }),
      delta({}, 'stop'),
      { choices: [], usage },
      '[DONE]',
    ])
    expect(events).toEqual([
      { type: 'text.delta', text: 'He' },
      { type: 'text.delta', text: 'llo' },
      counted,
      { type: 'finish', reason: 'stop' },
    ])
    expect(progress.slice(-3)).toEqual(['settled', 'settled', 'complete'])
  })

  it('the chat decoder accepts a finish reason or [DONE] as the end', () => {
    expect(decode([delta({ content: 'a' }, 'stop')]).events.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    expect(decode([delta({ content: 'a' }), '[DONE]']).events.at(-1)).toEqual({ type: 'finish', reason: 'other' })
  })

  it('the chat decoder fails if the stream is incomplete, and emits no call of it', () => {
    const tool_calls = [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }]
    const { events, error } = decode([delta({ content: 'a' }), delta({ tool_calls })])
    expect(error).toMatchObject({ code: 'model-stream' })
    expect(events.map(event => event.type)).toEqual(['text.delta', 'tool-call.start', 'tool-call.delta'])
  })

  it('the chat decoder throws an error inside the stream, after the content of the same chunk', () => {
    const { events, error } = decode([{ error: { message: 'No.' }, choices: [{ delta: { content: 'a' } }] }])
    expect(error).toMatchObject({ detail: 'reported {"error":{"message":"No."}}' })
    expect(events).toEqual([{ type: 'text.delta', text: 'a' }])
  })

  it('the chat decoder emits the last usage last', () => {
    const { events } = decode([{ ...(delta({}) as object), usage: { prompt_tokens: 1 } }, { usage }, '[DONE]'])
    expect(events.findLast(event => event.type === 'usage')).toEqual(counted)
  })

  it('the chat decoder emits a refusal as text and finishes with refusal', () => {
    const { events } = decode([delta({ refusal: 'I must' }), delta({ refusal: ' not.' }, 'stop')])
    expect(events).toEqual([
      { type: 'text.delta', text: 'I must' },
      { type: 'text.delta', text: ' not.' },
      { type: 'text.end', providerData: refusal },
      { type: 'finish', reason: 'refusal' },
    ])
  })

  it('the chat decoder separates a refusal from the text before and after it', () => {
    const { events } = decode([delta({ content: 'part' }), delta({ refusal: 'I cannot.' }), delta({}, 'stop')])
    expect(events).toEqual([
      { type: 'text.delta', text: 'part' },
      { type: 'text.end' },
      { type: 'text.delta', text: '\n\nI cannot.' },
      { type: 'text.end', providerData: refusal },
      { type: 'finish', reason: 'refusal' },
    ])
    const after = decode([
      delta({ refusal: 'No.' }),
      delta({ content: 'But this: ' }),
      delta({ content: 'yes.' }, 'stop'),
    ])
    expect(after.events).toEqual([
      { type: 'text.delta', text: 'No.' },
      { type: 'text.end', providerData: refusal },
      { type: 'text.delta', text: '\n\nBut this: ' },
      { type: 'text.delta', text: 'yes.' },
      { type: 'finish', reason: 'refusal' },
    ])
  })

  it('the chat decoder separates a refusal from the text of a document', () => {
    const whole = decode([{ choices: [{ message: { content: 'part', refusal: 'I cannot.' }, finish_reason: 'stop' }] }])
    expect(whole.events.flatMap(event => (event.type === 'text.delta' ? [event.text] : []))).toEqual([
      'part',
      '\n\nI cannot.',
    ])
  })

  it('the chat decoder ends reasoning with the data that the server requires back', () => {
    const detail = { type: 'reasoning.text', index: 0 }
    const { events } = decode([
      delta({ reasoning: 'wh', reasoning_details: [{ ...detail, text: 'wh' }] }),
      delta({ reasoning: 'y', reasoning_details: [{ ...detail, text: 'y' }] }),
      delta({ reasoning_details: [{ ...detail, signature: 's' }] }),
      delta({ content: 'ok' }, 'stop'),
    ])
    const data = { reasoning_details: [{ ...detail, text: 'why', signature: 's' }] }
    expect(events.slice(2)).toEqual([
      { type: 'reasoning.end', providerData: { provider: 'acme', data } },
      { type: 'text.delta', text: 'ok' },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('the chat decoder separates thoughts from the text if the quirks say so', () => {
    const chunks = [delta({ content: '<thi' }), delta({ content: 'nk>why</think>ok' }, 'stop')]
    expect(decode(chunks, { thinkTags: 'split' }).events.slice(0, 2)).toEqual([
      { type: 'reasoning.delta', text: 'why' },
      { type: 'text.delta', text: 'ok' },
    ])
    expect(decode(chunks).events[0]).toEqual({ type: 'text.delta', text: '<thi' })
    const untagged = [delta({ content: 'why</think>ok' }, 'stop')]
    expect(decode(untagged, { thinkTags: 'implied' }).events[0]).toEqual({ type: 'reasoning.delta', text: 'why' })
  })

  it('the chat decoder replaces the id of a call that the conversation already contains', () => {
    const before: Message = {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: '0', name: 'f', arguments: '{}' }],
    }
    const tool_calls = [{ index: 0, id: '0', function: { name: 'f', arguments: '{}' } }]
    const { events } = decode([delta({ tool_calls }, 'stop')], { messages: [before] })
    expect(events.slice(-2)).toMatchObject([
      { type: 'tool-call', callId: 'made' },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })
})
