import type { Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createMessageArranger } from './create-message-arranger.ts'
import { quirkProfiles } from '../quirks/quirk-profiles.ts'

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const reply = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const system: Message = { role: 'system', content: 'note' }

describe('createMessageArranger', () => {
  it('the message arranger does not change a conversation by default', () => {
    const messages = [user('a'), system, user('b')]
    expect(createMessageArranger(quirkProfiles.generic)(messages)).toBe(messages)
  })

  it('the message arranger converts each later system message to one and the same user message', () => {
    const arrange = createMessageArranger(quirkProfiles.vllm)
    const messages = [user('a'), system, user('b')]
    const arranged = arrange(messages)
    expect(arranged).toEqual([user('a'), user('<system>\nnote\n</system>'), user('b')])
    expect(arranged[0]).toBe(messages[0])
    expect(arrange(messages)[1]).toBe(arranged[1])
  })

  it('the message arranger joins consecutive messages of one role', () => {
    const arrange = createMessageArranger(quirkProfiles.perplexity)
    const arranged = arrange([user('a'), system, reply('b'), reply('c'), user('d')])
    expect(arranged.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(arranged[0]?.content).toHaveLength(2)
    expect(arranged[1]?.content).toHaveLength(2)
  })

  it('the message arranger does not join tool results', () => {
    const call = { type: 'tool-call', callId: 'a', name: 'f', arguments: '{}' } as const
    const result = (callId: string): Message => ({ role: 'tool', callId, name: 'f', content: [] })
    const messages: Message[] = [
      user('a'),
      { role: 'assistant', content: [call, { ...call, callId: 'b' }] },
      result('a'),
      result('b'),
      reply('done'),
    ]
    expect(createMessageArranger(quirkProfiles.perplexity)(messages)).toEqual(messages)
  })
})
