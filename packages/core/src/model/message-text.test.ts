import { describe, expect, it } from 'vitest'
import { messageText, toolCallsOf, userMessage } from './message-text.ts'

const call = (callId: string) => ({ type: 'tool-call' as const, callId, name: 'search', arguments: '{}' })
const file = { type: 'file' as const, mediaType: 'image/png', source: { type: 'url' as const, url: 'a' } }

describe('messageText', () => {
  it('messageText joins the text parts and skips all other parts', () => {
    const content = [{ type: 'text' as const, text: 'a' }, file, { type: 'text' as const, text: 'b' }]
    expect(messageText({ role: 'user', content })).toBe('ab')
    expect(messageText({ role: 'tool', callId: 'c', name: 'n', content })).toBe('ab')
    const thought = { type: 'reasoning' as const, text: 'hm' }
    expect(messageText({ role: 'assistant', content: [thought, ...content, call('1')] })).toBe('ab')
  })

  it('messageText returns the content of a system message', () => {
    expect(messageText({ role: 'system', content: 'be brief' })).toBe('be brief')
  })

  it('messageText is empty for a message without text parts', () => {
    expect(messageText({ role: 'assistant', content: [call('1')] })).toBe('')
  })
})

describe('toolCallsOf', () => {
  it('toolCallsOf returns the calls in order', () => {
    const content = [call('1'), { type: 'text' as const, text: 'and' }, call('2')]
    expect(toolCallsOf({ role: 'assistant', content })).toEqual([call('1'), call('2')])
  })
})

describe('userMessage', () => {
  it('messageText returns the text of a message that userMessage built', () => {
    expect(userMessage('hi')).toEqual({ role: 'user', content: [{ type: 'text', text: 'hi' }] })
    expect(messageText(userMessage('hi'))).toBe('hi')
  })
})
