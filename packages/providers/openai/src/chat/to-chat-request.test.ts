import type { ModelRequest } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createMessageEncoder } from './create-message-encoder.ts'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'
import { encodeChatTool, toChatRequest } from './to-chat-request.ts'

interface Asked {
  readonly stream?: boolean
  readonly model?: string
}

function convert(
  request: Partial<ModelRequest>,
  profile: QuirkProfileName = 'generic',
  { stream = true, model = 'm' }: Asked = {},
): unknown {
  const quirks = quirkProfiles[profile]
  const systemRole = 'system'
  const body = toChatRequest(
    { system: [], messages: [], tools: [], settings: {}, ...request },
    {
      provider: profile,
      model,
      quirks,
      stream,
      systemRole,
      encodeMessages: createMessageEncoder({ provider: profile, model, quirks, systemRole }),
      encodeTool: encodeChatTool,
    },
  )
  return JSON.parse(body)
}

const tool = { name: 'f', description: 'd', inputSchema: { type: 'object', properties: {} } }

describe('toChatRequest', () => {
  it('toChatRequest requests a stream with usage, or a document', () => {
    expect(convert({})).toEqual({ model: 'm', stream: true, stream_options: { include_usage: true }, messages: [] })
    expect(convert({}, 'generic', { stream: false })).toEqual({ model: 'm', stream: false, messages: [] })
    expect(convert({}, 'mistral')).not.toHaveProperty('stream_options')
    const lean = { stream_options: { include_usage: true, include_obfuscation: false } }
    expect(convert({}, 'openai')).toMatchObject(lean)
    expect(convert({}, 'openai', { stream: false })).not.toHaveProperty('stream_options')
  })

  it('toChatRequest joins the instructions into one leading message', () => {
    const request = {
      system: [{ text: 'one' }, { text: 'two\uD83D', volatile: true }],
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }],
    }
    expect(convert(request)).toMatchObject({
      messages: [
        { role: 'system', content: 'one\n\ntwo\uFFFD' },
        { role: 'user', content: 'hi' },
      ],
    })
  })

  it('toChatRequest sends the given settings under the names of the server', () => {
    const settings = { maxOutputTokens: 9, temperature: 0, topP: 0.5, stopSequences: ['x'], seed: 3 }
    expect(convert({ settings })).toMatchObject({ max_tokens: 9, temperature: 0, top_p: 0.5, stop: ['x'], seed: 3 })
    expect(convert({ settings }, 'openai')).toMatchObject({ max_completion_tokens: 9 })
    expect(convert({ settings }, 'openai')).not.toHaveProperty('max_tokens')
    expect(convert({ settings }, 'mistral')).toMatchObject({ random_seed: 3 })
  })

  it('toChatRequest sends tools, and leaves out the fields about tools for a request without tools', () => {
    expect(convert({ tools: [tool], toolChoice: 'required' })).toMatchObject({
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: tool.inputSchema } }],
      tool_choice: 'required',
    })
    expect(convert({ toolChoice: 'required' }, 'llamacpp')).not.toHaveProperty('tools')
    expect(convert({ toolChoice: 'required' }, 'llamacpp')).not.toHaveProperty('tool_choice')
    expect(convert({}, 'llamacpp')).not.toHaveProperty('parallel_tool_calls')
    expect(convert({ tools: [tool] }, 'llamacpp')).toMatchObject({ parallel_tool_calls: true })
  })

  it.each([
    ['generic', 'auto', undefined],
    ['generic', 'none', 'none'],
    ['generic', { name: 'f' }, { type: 'function', function: { name: 'f' } }],
    ['mistral', 'required', 'any'],
    ['moonshot', 'required', undefined],
    ['ollama', { name: 'f' }, undefined],
  ] as const)('toChatRequest sends to %s for the choice %j: %j', (profile, toolChoice, expected) => {
    expect(convert({ tools: [tool], toolChoice }, profile)).toHaveProperty('messages')
    expect((convert({ tools: [tool], toolChoice }, profile) as { tool_choice?: unknown }).tool_choice).toEqual(expected)
  })

  it('toChatRequest adds only the fields for this provider', () => {
    const providerOptions = { generic: { reasoning_effort: 'low' }, other: { x: 1 } }
    const body = convert({ settings: { providerOptions } })
    expect(body).toMatchObject({ reasoning_effort: 'low' })
    expect(body).not.toHaveProperty('x')
  })

  it('toChatRequest rejects provider options that replace fields of the request', () => {
    const settings = { providerOptions: { generic: { messages: [] } } }
    expect(() => convert({ settings })).toThrow(expect.objectContaining({ code: 'config-invalid' }))
  })

  it('toChatRequest sends thinking, output format and parallel calls, and the setting wins over the quirk', () => {
    const output = { name: 'x', schema: { type: 'object', properties: {} } }
    const settings = { thinking: 'high', output, parallelToolCalls: false } as const
    expect(convert({ settings, tools: [tool] })).toMatchObject({
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true } },
      parallel_tool_calls: false,
    })
    expect(convert({ settings })).not.toHaveProperty('parallel_tool_calls')
    expect(convert({ settings: { parallelToolCalls: false }, tools: [tool] }, 'llamacpp')).toMatchObject({
      parallel_tool_calls: false,
    })
  })

  it('toChatRequest adds a reminder if free JSON is requested and no message mentions JSON', () => {
    const hi = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
    const settings = { output: 'json' } as const
    expect(convert({ settings, messages: hi })).toMatchObject({
      messages: [{ role: 'system', content: 'Answer in JSON.' }, { role: 'user' }],
    })
    expect(convert({ settings, system: [{ text: 'Give json.' }] })).toMatchObject({
      messages: [{ content: 'Give json.' }],
    })
  })

  it('toChatRequest rejects provider options that conflict with a setting', () => {
    const providerOptions = { generic: { reasoning_effort: 'low' } }
    expect(() => convert({ settings: { thinking: 'high', providerOptions } })).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    )
  })

  it('toChatRequest rejects sampling while an OpenAI model reasons', () => {
    const ask = (settings: ModelRequest['settings']): unknown => convert({ settings }, 'openai', { model: 'gpt-5.2' })
    expect(ask({ temperature: 0 })).toMatchObject({ temperature: 0 })
    expect(() => ask({ temperature: 0, thinking: 'low' })).toThrow(
      expect.objectContaining({ code: 'model-unsupported' }),
    )
  })
})
