import type { AssistantMessage, Message, ToolMessage, UserMessage } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createMessageEncoder } from './create-message-encoder.ts'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'

function encode(messages: readonly Message[], profile: QuirkProfileName = 'generic'): unknown[] {
  const encoder = createMessageEncoder({
    provider: profile,
    model: 'm',
    quirks: quirkProfiles[profile],
    systemRole: 'system',
  })
  return encoder(messages).map(json => JSON.parse(json) as unknown)
}

const user = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const call = (callId: string, text = '{}') => ({ type: 'tool-call', callId, name: 'f', arguments: text }) as const
const reply = (...content: AssistantMessage['content']): AssistantMessage => ({ role: 'assistant', content })
const result = (callId: string, ...content: ToolMessage['content']): ToolMessage => ({
  role: 'tool',
  callId,
  name: 'f',
  content,
})
const text = (value: string) => ({ type: 'text', text: value }) as const
const image = { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } } as const
const wireImage = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

describe('createMessageEncoder', () => {
  it('the message encoder encodes a conversation with a tool call', () => {
    const messages = [
      { role: 'system', content: 'be brief' },
      user('hi'),
      reply(text('let me see'), call('a', '{"x":1}'), call('b')),
      result('a', text('1'), text('2')),
      result('b'),
      reply(text('done')),
    ] as const
    expect(encode(messages)).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'let me see',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '1\n2' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'assistant', content: 'done' },
    ])
  })

  it('the message encoder sends null as content of a message with calls only', () => {
    expect(encode([reply(call('a'))])).toMatchObject([{ content: null }])
    expect(encode([reply()])).toEqual([{ role: 'assistant', content: '' }])
  })

  it('the message encoder encodes a message once', () => {
    let read = 0
    const message: UserMessage = {
      role: 'user',
      get content() {
        read++
        return [text('hi')]
      },
    }
    const encoder = createMessageEncoder({
      provider: 'a',
      model: 'm',
      quirks: quirkProfiles.generic,
      systemRole: 'system',
    })
    const first = encoder([message])
    const reads = read
    expect(encoder([message, user('more')]).slice(0, 1)).toEqual(first)
    expect(read).toBe(reads)
  })

  it('the message encoder puts files into the content of a user message', () => {
    expect(encode([{ role: 'user', content: [text('see'), image] }])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'see' }, wireImage] },
    ])
  })

  it('the message encoder sends the files of results in one user message after all results', () => {
    const messages = [
      reply(call('a'), call('b')),
      result('a', image),
      result('b', text('two'), image),
      reply(text('ok')),
    ]
    const files = [{ type: 'text', text: 'Files from f:' }, wireImage]
    expect(encode(messages).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'The files follow.' },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      { role: 'user', content: [...files, ...files] },
      { role: 'assistant', content: 'ok' },
    ])
  })

  it('the message encoder wraps arguments that are not a JSON object', () => {
    const wire = (value: string): unknown =>
      (encode([reply(call('a', value))])[0] as { tool_calls: { function: { arguments: unknown } }[] }).tool_calls[0]
        ?.function.arguments
    expect(wire('{"x":')).toBe('{"unparsed":"{\\"x\\":"}')
    expect(wire('7')).toBe('{"unparsed":"7"}')
    expect(wire('')).toBe('{}')
    expect(wire(' {"x": 1} ')).toBe(' {"x": 1} ')
  })

  it('the message encoder replaces lone surrogates', () => {
    expect(encode([user('a\uD83D'), reply(call('a')), result('a', text('\uDE00'))])).toMatchObject([
      { content: 'a\uFFFD' },
      {},
      { content: '\uFFFD' },
    ])
  })

  it('the message encoder rewrites ids for Mistral in call and result, and names the tool', () => {
    const [wireReply, wireResult] = encode([reply(call('call_1')), result('call_1')], 'mistral') as [
      { tool_calls: { id: string }[] },
      { tool_call_id: string; name: string },
    ]
    expect(wireReply.tool_calls[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/)
    expect(wireResult).toMatchObject({ tool_call_id: wireReply.tool_calls[0]?.id, name: 'f' })
  })

  it('the message encoder puts an assistant message between a result and a user message for Mistral', () => {
    const roles = (messages: readonly Message[]): unknown[] =>
      encode(messages, 'mistral').map(message => (message as { role: string }).role)
    expect(roles([reply(call('a')), result('a'), user('hi')])).toEqual(['assistant', 'tool', 'assistant', 'user'])
    expect(roles([reply(call('a')), result('a', image)])).toEqual(['assistant', 'tool', 'assistant', 'user'])
    expect(roles([reply(call('a')), result('a'), reply(text('x'))])).toEqual(['assistant', 'tool', 'assistant'])
  })

  it("the message encoder sends Moonshot's own ids back, in call and result", () => {
    const part = { ...call('made-1'), providerData: { provider: 'moonshot', data: { id: 'functions.f:0' } } }
    expect(encode([reply(part), result('made-1')], 'moonshot')).toMatchObject([
      { tool_calls: [{ id: 'functions.f:0' }] },
      { tool_call_id: 'functions.f:0' },
    ])
    expect(encode([reply(part), result('made-1')])).toMatchObject([
      { tool_calls: [{ id: 'made-1' }] },
      { tool_call_id: 'made-1' },
    ])
  })

  it('the message encoder sends reasoning back only during a tool loop, if the server requires it', () => {
    const thought = reply({ type: 'reasoning', text: 'why' }, call('a'))
    const loop = [user('hi'), thought, result('a')]
    expect(encode(loop, 'deepseek')[1]).toMatchObject({ reasoning_content: 'why' })
    expect(encode([...loop, user('next')], 'deepseek')[1]).not.toHaveProperty('reasoning_content')
    expect(encode(loop, 'ollama')[1]).toMatchObject({ reasoning: 'why' })
    expect(encode(loop, 'openai')[1]).not.toHaveProperty('reasoning')
  })

  it('the message encoder sends provider data only to the provider that wrote it', () => {
    const data = { reasoning_details: [{ type: 'reasoning.text', text: 'why', signature: 's' }] }
    const extra = { extra_content: { google: { thought_signature: 't' } } }
    const message = reply(
      { type: 'reasoning', text: 'why', providerData: { provider: 'openrouter', data } },
      { ...call('a'), providerData: { provider: 'openrouter', data: extra } },
      { type: 'opaque', providerData: { provider: 'openrouter', data: extra } },
    )
    expect(encode([message], 'openrouter')).toMatchObject([{ ...data, ...extra, tool_calls: [extra] }])
    expect(JSON.stringify(encode([message], 'groq'))).not.toMatch(/signature/)
  })

  it('the message encoder sends signatures only to the model that made them', () => {
    const data = { provider: 'openrouter', data: { reasoning_details: [{ type: 'reasoning.text', signature: 's' }] } }
    const extra = { provider: 'openrouter', data: { extra_content: { google: { thought_signature: 's' } } } }
    const answer = (model: string): AssistantMessage => ({
      ...reply(
        { type: 'reasoning', text: 'hm', providerData: data },
        { type: 'opaque', providerData: extra },
        { ...call('a'), providerData: extra },
      ),
      model,
    })
    const signed = (model: string): boolean => JSON.stringify(encode([answer(model)], 'openrouter')).includes('"s"')
    expect(signed('openrouter/m')).toBe(true)
    expect(signed('fallback/openrouter/m|openai/n')).toBe(true)
    expect(signed('openrouter/other')).toBe(false)
  })

  it('the message encoder adds an empty reasoning field to calls of a tool loop if the server requires it', () => {
    const open = [user('hi'), reply(call('a')), result('a')]
    expect(encode(open, 'deepseek')[1]).toMatchObject({ reasoning_content: '' })
    expect(encode(open, 'moonshot')[1]).not.toHaveProperty('reasoning_content')
    expect(encode([...open, reply(text('so')), user('and?')], 'deepseek')[1]).not.toHaveProperty('reasoning_content')
    expect(encode([user('hi'), reply(text('so'))], 'deepseek')[1]).not.toHaveProperty('reasoning_content')
  })

  it('the message encoder arranges the conversation in the order of roles that the server accepts', () => {
    const messages: Message[] = [user('a'), { role: 'system', content: 'note' }, user('b')]
    const roles = (profile: QuirkProfileName): unknown[] =>
      encode(messages, profile).map(message => (message as { role: string }).role)
    expect(roles('generic')).toEqual(['user', 'system', 'user'])
    expect(roles('vllm')).toEqual(['user', 'user', 'user'])
    expect(encode(messages, 'perplexity')).toEqual([{ role: 'user', content: 'a\n<system>\nnote\n</system>\nb' }])
  })
})
