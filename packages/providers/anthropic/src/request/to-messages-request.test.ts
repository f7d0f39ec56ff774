import type { Json, ModelRequest, ModelSettings } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transcript } from '../__fixtures__/transcript.ts'
import { createTurnEncoder } from './create-turn-encoder.ts'
import { rulesOfModel } from '../models/model-rules.ts'
import { createRefuse } from '@parley/provider-kit'
import { encodeMessagesTool, encodeStrictTool, toMessagesRequest } from './to-messages-request.ts'

interface ConvertOptions {
  readonly model?: string
  readonly stream?: boolean
}

function convert(
  request: Partial<ModelRequest>,
  { model = 'claude-sonnet-4-5', stream = true }: ConvertOptions = {},
): Record<string, unknown> {
  const provider = 'anthropic'
  const refuse = createRefuse({ provider, model })
  const body = toMessagesRequest(
    { system: [], messages: [], tools: [], settings: {}, ...request },
    {
      provider,
      envelope: { model, stream },
      refuse,
      rules: rulesOfModel(model),
      outputCap: undefined,
      interleaved: false,
      encodeTurns: createTurnEncoder({ provider, model, refuse }),
      encodeTool: encodeMessagesTool,
      encodeStrictTool,
    },
  )
  return JSON.parse(body) as Record<string, unknown>
}

const off: ModelSettings = { cache: 'off' }
const tool = { name: 'f', description: 'd', inputSchema: { type: 'object', properties: {} } }
const hi = { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }
const mark = { cache_control: { type: 'ephemeral' } }
const wire = (options: Record<string, Json>): ModelSettings => ({ ...off, providerOptions: { anthropic: options } })
const unsupported = expect.objectContaining({ code: 'model-unsupported' }) as Error

describe('toMessagesRequest', () => {
  it('toMessagesRequest sets a default output limit, because the API requires one', () => {
    expect(convert({ messages: [hi], settings: off })).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 64_000,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    })
    expect(convert({ settings: { maxOutputTokens: 9 } }, { stream: false })).toMatchObject({
      max_tokens: 9,
      stream: false,
    })
  })

  it('toMessagesRequest marks tools, stable instructions and messages, and puts volatile instructions last and unmarked', () => {
    const system = [{ text: 'now', volatile: true }, { text: 'one' }, { text: ' ' }, { text: 'two\uD83D' }]
    expect(convert({ system, tools: [tool, { ...tool, name: 'g' }], messages: [hi] })).toMatchObject({
      system: [{ text: 'one' }, { text: 'two\uFFFD', ...mark }, { text: 'now' }],
      tools: [
        { name: 'f', description: 'd', input_schema: tool.inputSchema },
        { name: 'g', ...mark },
      ],
      messages: [{ content: [{ type: 'text', text: 'hi' }] }],
    })
    const body = convert({ system, messages: [hi] })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(1)
    expect(convert({ messages: [hi] })).toMatchObject({ messages: [{ content: [mark] }] })
  })

  it('toMessagesRequest requests a cache entry of one hour if the settings say so', () => {
    const body = convert({ messages: [hi], tools: [tool], settings: { cache: { ttl: '1h' } } })
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
    expect(body).toMatchObject({ tools: [hour], messages: [{ content: [hour] }] })
  })

  it('toMessagesRequest marks the last block that accepts a mark, never a thought', () => {
    const signed = { providerData: { provider: 'anthropic', data: { signature: 's' } } }
    const answer = {
      role: 'assistant' as const,
      content: [
        { type: 'text' as const, text: 'a' },
        { type: 'reasoning' as const, text: 'b', ...signed },
      ],
    }
    const { messages } = convert({ messages: [hi, answer] })
    expect(messages).toMatchObject([{ content: [mark] }, { content: [{ text: 'a', ...mark }, { type: 'thinking' }] }])
    expect(JSON.stringify(messages).match(/cache_control/g)).toHaveLength(2)
  })

  it('toMessagesRequest sends settings under the names of the API', () => {
    const settings = {
      ...off,
      temperature: 0,
      stopSequences: ['x'],
      parallelToolCalls: false,
      thinking: 'off',
    } as const
    expect(convert({ tools: [tool], settings })).toMatchObject({
      temperature: 0,
      stop_sequences: ['x'],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
    expect(convert({ toolChoice: 'required', settings: off })).not.toHaveProperty('tool_choice')
  })

  it('toMessagesRequest sends effort and output format together', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const settings: ModelSettings = { thinking: 'low', output: { name: 'x', schema } }
    expect(convert({ settings }, { model: 'claude-opus-5-5' })).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: {
        effort: 'low',
        format: { type: 'json_schema', schema: { ...schema, additionalProperties: false } },
      },
    })
  })

  it('toMessagesRequest rejects settings that the model does not support', () => {
    const output = { name: 'x', schema: { type: 'object', properties: { a: {} } } }
    expect(() => convert({ settings: { output } }, { model: 'claude-sonnet-4-0' })).toThrow(unsupported)
    expect(() => convert({ settings: { output: 'json' } })).toThrow(unsupported)
    expect(() => convert({ settings: { thinking: 'high', temperature: 0 } })).toThrow(unsupported)
    const forced = { tools: [tool], toolChoice: 'required' as const, settings: { thinking: 'high' as const } }
    expect(() => convert(forced)).toThrow(unsupported)
  })

  it('toMessagesRequest adds the fields of its provider options, and puts server tools before functions', () => {
    const search = { type: 'web_search_20250305', name: 'web_search' }
    const settings = wire({ top_k: 3, tools: [search], output_config: { effort: 'max' } })
    const body = convert({ tools: [tool], settings: { ...settings, cache: 'auto' } })
    expect(body).toMatchObject({ top_k: 3, tools: [search, { name: 'f', ...mark }], output_config: { effort: 'max' } })
    const output = { name: 'x', schema: { type: 'object', properties: { a: {} } } }
    expect(convert({ settings: { ...wire({ output_config: { effort: 'max' } }), output } })).toMatchObject({
      output_config: { effort: 'max', format: { type: 'json_schema' } },
    })
  })

  it('toMessagesRequest counts the marks that a user sets in provider options', () => {
    const settings = { ...wire({ cache_control: { type: 'ephemeral' } }), cache: 'auto' as const }
    const system = [{ text: 's' }]
    const turns = [hi, { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'x' }] }, hi]
    const body = JSON.stringify(convert({ system, tools: [tool], messages: turns, settings }))
    expect(body.match(/cache_control/g)).toHaveLength(4)
    const search = { type: 'web_search_20250305', name: 'web_search', ...mark }
    const added = { ...wire({ tools: [search] }), cache: 'auto' as const }
    const marked = JSON.stringify(convert({ system, tools: [tool], messages: turns, settings: added }))
    expect(marked.match(/cache_control/g)).toHaveLength(4)
  })

  it('toMessagesRequest rejects provider options that replace fields of the request', () => {
    const refused = expect.objectContaining({ code: 'config-invalid' }) as Error
    expect(() => convert({ settings: wire({ messages: [] }) })).toThrow(refused)
    const settings = { ...wire({ thinking: { type: 'adaptive' } }), thinking: 'low' as const }
    expect(() => convert({ settings }, { model: 'claude-opus-5' })).toThrow(refused)
    expect(convert({ settings: wire({ thinking: { type: 'adaptive' } }) })).toMatchObject({
      thinking: { type: 'adaptive' },
    })
  })

  it('toMessagesRequest never sets more than four marks, for any conversation', () => {
    const system = fc.array(fc.record({ text: fc.constantFrom('', 'a'), volatile: fc.boolean() }), { maxLength: 3 })
    fc.assert(
      fc.property(transcript, system, fc.boolean(), (messages, parts, tools) => {
        const body = convert({ messages, system: parts, tools: tools ? [tool] : [] })
        expect(JSON.stringify(body).split('"cache_control":{"type":"ephemeral"}').length - 1).toBeLessThanOrEqual(4)
      }),
    )
  })

  it('toMessagesRequest sends a strict tool as strict only if the model supports schemas', () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } }
    const strict = { ...tool, inputSchema, strict: true }
    expect(convert({ tools: [strict], settings: off })['tools']).toEqual([
      {
        name: 'f',
        description: 'd',
        strict: true,
        input_schema: {
          type: 'object',
          properties: { n: { type: 'integer', description: '(minimum: 1)' } },
          additionalProperties: false,
        },
      },
    ])
    expect(convert({ tools: [strict], settings: off }, { model: 'claude-opus-4-1' })['tools']).toEqual([
      { name: 'f', description: 'd', input_schema: inputSchema },
    ])
    const open = { ...strict, inputSchema: { type: 'object', additionalProperties: true } }
    expect(() => convert({ tools: [open] })).toThrow(unsupported)
  })
})
