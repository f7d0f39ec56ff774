import { describe, expect, it } from 'vitest'
import { fromChatFinish } from './chat-finish.ts'

describe('fromChatFinish', () => {
  it.each([
    ['stop', false, 'stop'],
    ['eos', false, 'stop'],
    ['stop', true, 'tool-calls'],
    ['tool_calls', true, 'tool-calls'],
    ['function_call', true, 'tool-calls'],
    ['tool_calls', false, 'stop'],
    ['', true, 'tool-calls'],
    ['', false, 'other'],
    ['length', true, 'length'],
    ['model_length', false, 'length'],
    ['model_context_window_exceeded', false, 'length'],
    ['content_filter', true, 'content-filter'],
    ['error', false, 'error'],
    ['brand_new', false, 'other'],
  ] as const)('fromChatFinish converts %j (with calls: %s) to %s', (reason, hasCalls, expected) => {
    expect(fromChatFinish({ reason, hasCalls, refused: false })).toBe(expected)
  })

  it('fromChatFinish returns refusal for an answer with a refusal', () => {
    expect(fromChatFinish({ reason: 'stop', hasCalls: false, refused: true })).toBe('refusal')
  })
})
