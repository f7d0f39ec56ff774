import { expect, it } from 'vitest'
import type { Json } from '../schema/json.ts'
import type { Message } from '../schema/message.ts'
import { messageSize, sumTexts } from './sum-texts.ts'
import { userMessage } from './message-text.ts'

const opaque = (data: Json): Message => ({
  role: 'assistant',
  content: [{ type: 'opaque', providerData: { provider: 'p', data } }],
})

it('messageSize counts each character of a message as one, and adds what the wire format adds', () => {
  const call: Message = {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: '12345' },
      { type: 'tool-call', callId: 'c', name: 'look', arguments: '{"a":1}' },
    ],
  }
  expect(messageSize(userMessage('12345'))).toBe(9)
  expect(messageSize({ role: 'system', content: '12345' })).toBe(9)
  expect(messageSize(call)).toBe(4 + 5 + 8 + 4 + 7)
  expect(messageSize({ role: 'tool', callId: 'c', name: 'look', content: [] })).toBe(4 + 8 + 4)
  expect(messageSize(opaque({ a: 1 }))).toBe(4 + 7)
})

it('messageSize never throws for data that is not JSON', () => {
  expect(messageSize(opaque({ big: 1n } as unknown as Json))).toBe(4)
})

it('sumTexts asks its callback for each text once', () => {
  const texts: string[] = []
  sumTexts({ role: 'tool', callId: 'c', name: 'look', content: [{ type: 'text', text: 'seen' }] }, text =>
    texts.push(text),
  )
  expect(texts).toEqual(['look', 'seen'])
})
