import type { Message } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transcript } from '../__fixtures__/transcript.ts'
import { createTurnEncoder } from './create-turn-encoder.ts'
import { createRefuse } from '@parley/provider-kit'

interface WireTurn {
  readonly role: string
  readonly content: readonly {
    readonly type: string
    readonly text?: string
    readonly id?: string
    readonly tool_use_id?: string
  }[]
}

const provider = 'anthropic'
const create = () => createTurnEncoder({ provider, model: 'm', refuse: createRefuse({ provider, model: 'm' }) })
const convert = (messages: readonly Message[]): WireTurn[] =>
  create()(messages).map(({ role, blocks }) => ({
    role,
    content: blocks.map(({ json }) => JSON.parse(json) as WireTurn['content'][number]),
  }))

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const result = (callId: string, text = 'ok', isError?: boolean): Message => ({
  role: 'tool',
  callId,
  name: 'f',
  content: [{ type: 'text', text }],
  ...(isError === undefined ? {} : { isError }),
})
const calling = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map(callId => ({ type: 'tool-call', callId, name: 'f', arguments: '{}' })),
})

describe('createTurnEncoder', () => {
  it('the turn encoder puts all results of an answer into one user turn, before the text of the user', () => {
    const messages = [user('go'), calling('a', 'b'), result('a'), result('b', 'no', true), user('and now?')]
    expect(convert(messages)[2]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'ok' }] },
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'no' }], is_error: true },
        { type: 'text', text: 'and now?' },
      ],
    })
  })

  it('the turn encoder sends files inside a result, and omits the content of an empty result', () => {
    const image = { type: 'file' as const, mediaType: 'image/png', source: { type: 'base64' as const, data: 'AAAA' } }
    const messages: Message[] = [
      calling('a', 'b'),
      { role: 'tool', callId: 'a', name: 'f', content: [{ type: 'text', text: 'see' }, image] },
      result('b', ' \n'),
    ]
    expect(convert(messages)[1]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      { type: 'tool_result', tool_use_id: 'b' },
    ])
  })

  it('the turn encoder sends a later system message as user text in tags', () => {
    expect(convert([user('hi'), { role: 'system', content: 'Be brief.' }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'text', text: '<system>\nBe brief.\n</system>' },
        ],
      },
    ])
  })

  it('the turn encoder trims white space of the assistant at the end of a request', () => {
    const answer = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
    expect(convert([user('a'), answer('The answer: ')])[1]?.content).toEqual([{ type: 'text', text: 'The answer:' }])
    expect(convert([user('a'), answer(' \n')])).toHaveLength(1)
    expect(convert([user('a'), answer('b '), user('c')])[1]?.content).toEqual([{ type: 'text', text: 'b ' }])
  })

  it('the turn encoder encodes a message once and does not change its turns later', () => {
    const encode = create()
    const messages = [user('a'), user('b')]
    const first = encode(messages)
    const again = encode([...messages, user('c')])
    expect(first[0]?.blocks).toHaveLength(2)
    expect(again[0]?.blocks).toHaveLength(3)
    expect(again[0]?.blocks[0]).toBe(first[0]?.blocks[0])
  })

  it('the turn encoder produces turns that the API accepts, for any valid transcript', () => {
    fc.assert(
      fc.property(transcript, messages => {
        const turns = convert(messages)
        turns.forEach(({ role, content }, index) => {
          expect(content.length).toBeGreaterThan(0)
          expect(role).not.toBe(turns[index - 1]?.role)
          expect(content.every(block => block.type !== 'text' || block.text?.trim() !== '')).toBe(true)
          const calls = content.filter(block => block.type === 'tool_use').map(block => block.id)
          const next = turns[index + 1]?.content ?? []
          expect(next.slice(0, calls.length).map(block => block.tool_use_id)).toEqual(role === 'user' ? [] : calls)
          const results = content.filter(block => block.type === 'tool_result').length
          expect(content.slice(0, results).every(block => block.type === 'tool_result')).toBe(true)
          if (role === 'user' && results > 0) expect(turns[index - 1]?.role).toBe('assistant')
        })
        const end = turns.at(-1)
        const text = end?.role === 'assistant' ? end.content.at(-1)?.text : undefined
        if (text !== undefined) expect(text).toBe(text.trimEnd())
      }),
    )
  })
})
