import { userMessage, type Message } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTokenCounter } from '../../index.ts'
import { defaultTokenCounter, loadTokenizer } from './default-token-counter.ts'

const chars = createTokenCounter(text => text.length)
const file = (source: Extract<Message, { role: 'user' }>['content'][number] & { type: 'file' }): Message => ({
  role: 'user',
  content: [source],
})
const ofBytes = (bytes: number): Message =>
  file({ type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'A'.repeat((bytes * 4) / 3) } })

describe('a token counter', () => {
  it.each<[string, Message, number]>([
    ['a text', userMessage('12345'), 9],
    ['an instruction', { role: 'system', content: '12345' }, 9],
    [
      'a call with its name and arguments',
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'long id', name: 'look', arguments: '{"a":1}' }] },
      23,
    ],
    ['a thought', { role: 'assistant', content: [{ type: 'reasoning', text: '12345' }] }, 9],
    ['a result', { role: 'tool', callId: 'c', name: 'look', content: [{ type: 'text', text: '12345' }] }, 21],
    ['a small picture', ofBytes(300), 89],
    ['a picture', ofBytes(750_000), 1_004],
    ['a huge picture', ofBytes(30_000_000), 16_004],
    [
      'a linked picture',
      file({ type: 'file', mediaType: 'image/*', source: { type: 'url', url: 'https://a.b' } }),
      1_604,
    ],
    [
      'what only the provider reads',
      { role: 'assistant', content: [{ type: 'opaque', providerData: { provider: 'p', data: { a: 1 } } }] },
      11,
    ],
  ])('a token counter counts %s', (_, message, tokens) => {
    expect(chars.count(message)).toBe(tokens)
  })
})

describe('the default counter', async () => {
  await loadTokenizer()

  it.each([
    ['prose', 'The committee will meet again on Thursday to settle the open questions. '.repeat(10), 130],
    ['JSON', JSON.stringify([{ id: 4711, name: 'north gate', open: true, tags: ['a', 'b'] }]).repeat(10), 270],
    ['Chinese', '委员会将于星期四再次开会以解决未决问题。'.repeat(10), 170],
  ])('the default counter is close to real tokenizers for %s', (_, text, tokens) => {
    expect(defaultTokenCounter.countText(text)).toBeGreaterThan(tokens * 0.7)
    expect(defaultTokenCounter.countText(text)).toBeLessThan(tokens * 1.4)
  })

  it('the default counter samples the ends of a long text', () => {
    const part = 'One line of many in a long file.\n'
    const ratio = defaultTokenCounter.countText(part.repeat(100_000)) / defaultTokenCounter.countText(part.repeat(500))
    expect(ratio).toBeGreaterThan(190)
    expect(ratio).toBeLessThan(210)
  })

  it('the default counter never counts more than its bound', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' }), fc.json()),
        text => {
          const message = userMessage(text)
          expect(defaultTokenCounter.count(message)).toBeLessThanOrEqual(defaultTokenCounter.bound?.(message) ?? 0)
        },
      ),
      { numRuns: 500 },
    )
  })
})
