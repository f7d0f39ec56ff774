import type { AssistantMessage, AssistantPart, Json } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeAssistant, toWireCallId } from './encode-assistant.ts'

const own = (data: Json, provider = 'anthropic') => ({ providerData: { provider, data } })

function convert(content: AssistantPart[], model?: string): unknown[] {
  const message: AssistantMessage = { role: 'assistant', content, ...(model === undefined ? {} : { model }) }
  return encodeAssistant(message, { provider: 'anthropic', model: 'claude-1' }).map(({ json }) => JSON.parse(json))
}

const thought: AssistantPart = { type: 'reasoning', text: 'Hm.', ...own({ signature: 'sig' }) }

describe('encodeAssistant', () => {
  it('encodeAssistant sends thoughts back unchanged and in place, and never marks them for caching', () => {
    const redacted: AssistantPart = { type: 'reasoning', text: '', ...own({ redacted_thinking: 'xyz' }) }
    const content: AssistantPart[] = [thought, redacted, { type: 'text', text: 'Yes.' }]
    expect(convert(content)).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'Yes.' },
    ])
    const blocks = encodeAssistant({ role: 'assistant', content }, { provider: 'anthropic', model: 'claude-1' })
    expect(blocks.map(block => block.cacheable)).toEqual([false, false, true])
  })

  it('encodeAssistant keeps the empty text of a hidden thought', () => {
    expect(convert([{ ...thought, text: '' }])).toEqual([{ type: 'thinking', thinking: '', signature: 'sig' }])
  })

  it('encodeAssistant leaves out thoughts without a signature, of other providers and of other models', () => {
    expect(convert([{ type: 'reasoning', text: 'Hm.' }])).toEqual([])
    expect(convert([{ type: 'reasoning', text: 'Hm.', ...own({ signature: 'sig' }, 'other') }])).toEqual([])
    expect(convert([thought], 'anthropic/claude-2')).toEqual([])
    expect(convert([thought], 'anthropic/claude-1')).toHaveLength(1)
    expect(convert([thought], 'fallback/anthropic/claude-1|openai/gpt-5')).toHaveLength(1)
  })

  it('encodeAssistant sends calls back with arguments as an object and with their unusual fields', () => {
    const caller = { type: 'code_execution_20260120', tool_id: 'srv' }
    expect(
      convert([
        { type: 'tool-call', callId: 'toolu_1', name: 'f', arguments: '{"a":1}', ...own({ call: { caller } }) },
        { type: 'tool-call', callId: 'f.x:0', name: 'f', arguments: '' },
        { type: 'tool-call', callId: 'c', name: 'f', arguments: '{"cut' },
      ]),
    ).toEqual([
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 }, caller },
      { type: 'tool_use', id: 'f_2ex_3a0', name: 'f', input: {} },
      { type: 'tool_use', id: 'c', name: 'f', input: { unparsed: '{"cut' } },
    ])
  })

  it('encodeAssistant sends blocks of server tools back unchanged and drops those of other providers', () => {
    const block = { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'x' } }
    const opaque = (provider: string): AssistantPart => ({
      type: 'opaque',
      providerData: { provider, data: { block } },
    })
    expect(convert([opaque('anthropic'), opaque('other')])).toEqual([block])
  })

  it('encodeAssistant sends citations back and skips blank text', () => {
    const citations = [{ type: 'web_search_result_location', encrypted_index: 'e' }]
    expect(
      convert([
        { type: 'text', text: '' },
        { type: 'text', text: 'a', ...own({ citations }) },
      ]),
    ).toEqual([{ type: 'text', text: 'a', citations }])
  })

  it('encodeAssistant replaces a file of an earlier answer by its name, because the API accepts files from users only', () => {
    const source = { type: 'base64' as const, data: 'AAAA' }
    expect(convert([{ type: 'file', mediaType: 'image/png', source }])).toEqual([
      { type: 'text', text: '[A file of an earlier answer: image/png]' },
    ])
  })
})

describe('toWireCallId', () => {
  it('toWireCallId keeps an id that the API accepts', () => {
    expect(toWireCallId('toolu_01-A')).toBe('toolu_01-A')
  })

  it('toWireCallId rewrites other ids with accepted characters, and different ids differently', () => {
    expect(toWireCallId('functions.weather:0')).toBe('functions_2eweather_3a0')
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), id => {
        expect(toWireCallId(id)).toMatch(/^[a-zA-Z0-9_-]+$/)
      }),
    )
    expect(new Set(['a.b', 'a:b', 'a_b', 'a/b'].map(toWireCallId)).size).toBe(4)
  })
})
