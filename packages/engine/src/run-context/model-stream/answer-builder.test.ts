import { describe, expect, it } from 'vitest'
import { ZERO_USAGE, type ModelEvent } from '@parley/core'
import { AnswerBuilder } from './answer-builder.ts'

function build(events: readonly ModelEvent[], used: readonly string[] = []) {
  const answer = new AnswerBuilder()
  for (const event of events) answer.add(event)
  const ids = new Set(used)
  return answer.message('p/m', () => ids)
}

describe('AnswerBuilder', () => {
  it('AnswerBuilder joins deltas of one kind and keeps the order of parts', () => {
    const message = build([
      { type: 'reasoning.delta', text: 'so ' },
      { type: 'reasoning.delta', text: 'then' },
      { type: 'text.delta', text: 'a' },
      { type: 'tool-call', callId: '1', name: 'add', arguments: '{}' },
      { type: 'text.delta', text: 'b' },
      { type: 'finish', reason: 'stop' },
    ])
    expect(message).toEqual({
      role: 'assistant',
      model: 'p/m',
      finish: 'stop',
      content: [
        { type: 'reasoning', text: 'so then' },
        { type: 'text', text: 'a' },
        { type: 'tool-call', callId: '1', name: 'add', arguments: '{}' },
        { type: 'text', text: 'b' },
      ],
    })
  })

  it('AnswerBuilder keeps provider data with the part it closes, even without text', () => {
    const providerData = { provider: 'p', data: { signature: 's' } }
    const message = build([
      { type: 'reasoning.end', providerData },
      { type: 'text.delta', text: 'a' },
      { type: 'text.end' },
    ])
    expect(message.content).toEqual([
      { type: 'reasoning', text: '', providerData },
      { type: 'text', text: 'a' },
    ])
  })

  it('AnswerBuilder replaces call ids that are empty, repeated in the answer or used earlier in the run', () => {
    const call = (callId: string): ModelEvent => ({ type: 'tool-call', callId, name: 'add', arguments: '{}' })
    const message = build([call(''), call('0'), call('0'), call('x')], ['x'])
    const ids = message.content.map(part => (part.type === 'tool-call' ? part.callId : ''))
    expect(new Set([...ids, 'x', '']).size).toBe(6)
    expect(ids[1]).toBe('0')
  })

  it('AnswerBuilder counts usage in whole numbers of at least 0, because a journal cannot keep others', () => {
    const answer = new AnswerBuilder()
    const odd = { input: Infinity, output: -1, reasoning: Number.NaN, cacheRead: 1.6, cacheWrite: 2 }
    answer.add({ type: 'usage', usage: { ...ZERO_USAGE, ...odd }, costUsd: Infinity })
    expect(answer.usage).toEqual({ ...ZERO_USAGE, input: 0, output: 0, reasoning: 0, cacheRead: 2, cacheWrite: 2 })
    expect(answer.costUsd).toBeUndefined()
  })
})
