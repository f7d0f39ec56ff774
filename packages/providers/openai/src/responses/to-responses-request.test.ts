import type { AssistantMessage, Message, ModelRequest } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createOpenAI } from '../create-openai.ts'

/** Returns the body that the public provider sends for a request. */
async function sent(request: Partial<ModelRequest>, id = 'gpt-5-mini'): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = []
  const fetch: typeof globalThis.fetch = async (_, { body } = {}) => {
    bodies.push(JSON.parse(body as string) as Record<string, unknown>)
    return new Response('data: {"type":"response.completed","response":{"status":"completed","output":[]}}\n\n')
  }
  const model = createOpenAI({ apiKey: 'k', api: 'responses', fetch }).model(id)
  for await (const event of model.stream({ system: [], messages: [], tools: [], settings: {}, ...request }, {}))
    expect(event).toEqual({ type: 'finish', reason: 'stop' })
  return bodies[0] ?? {}
}

const input = async (...messages: Message[]): Promise<unknown> => (await sent({ messages }))['input']
const reply = (...content: AssistantMessage['content']): AssistantMessage => ({ role: 'assistant', content })
const call = { type: 'tool-call', callId: 'call_1', name: 'f', arguments: '{"x":1}' } as const
const image = { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } } as const
const own = (data: Record<string, never> | object) =>
  ({ provider: 'openai', data: data as Record<string, never> }) as const

describe('toResponsesRequest', () => {
  it('toResponsesRequest stores nothing at the server and requests encrypted reasoning from reasoning models', async () => {
    expect(await sent({ system: [{ text: 'a' }, { text: 'b' }] })).toEqual({
      model: 'gpt-5-mini',
      stream: true,
      store: false,
      stream_options: { include_obfuscation: false },
      instructions: 'a\n\nb',
      include: ['reasoning.encrypted_content'],
      input: [],
    })
    expect(await sent({}, 'gpt-4.1')).not.toHaveProperty('include')
  })

  it('toResponsesRequest sends flat tools that are not strict', async () => {
    const inputSchema = { type: 'object', properties: {} }
    const tools = [{ name: 'f', description: 'd', inputSchema }]
    expect(await sent({ tools, toolChoice: { name: 'f' }, settings: { maxOutputTokens: 99 } })).toMatchObject({
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: inputSchema, strict: false }],
      tool_choice: { type: 'function', name: 'f' },
      max_output_tokens: 99,
    })
  })

  it('toResponsesRequest sends a conversation as items, including files of results', async () => {
    const messages: Message[] = [
      { role: 'system', content: 'note' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }, image] },
      reply({ type: 'text', text: 'so' }, call),
      { role: 'tool', callId: 'call_1', name: 'f', content: [{ type: 'text', text: '7' }] },
      reply(call),
      { role: 'tool', callId: 'call_1', name: 'f', content: [image] },
    ]
    const wireImage = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
    const wireCall = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"x":1}' }
    expect(await input(...messages)).toEqual([
      { role: 'system', content: 'note' },
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }, wireImage] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'so' }] },
      wireCall,
      { type: 'function_call_output', call_id: 'call_1', output: '7' },
      wireCall,
      { type: 'function_call_output', call_id: 'call_1', output: [wireImage] },
    ])
  })

  it('toResponsesRequest sends reasoning back before the item that followed it, never alone', async () => {
    const reasoning = { summary: [], encrypted_content: 'c' }
    const thought = { type: 'reasoning', text: '', providerData: own({ reasoning }) } as const
    expect(await input(reply(thought, call))).toMatchObject([
      { type: 'reasoning', ...reasoning },
      { call_id: 'call_1' },
    ])
    expect(await input(reply(thought))).toEqual([])
    expect(await input(reply(thought, { type: 'opaque', providerData: own({}) }, call))).toMatchObject([
      { type: 'function_call' },
    ])
    const foreign = { ...thought, providerData: { ...thought.providerData, provider: 'azure' } }
    expect(await input(reply(foreign, call))).toMatchObject([{ type: 'function_call' }])
  })

  it('toResponsesRequest sends phases and custom calls back unchanged', async () => {
    const custom = { ...call, arguments: '"raw"', providerData: own({ custom: true }) }
    const said = { type: 'text', text: 'a', providerData: own({ phase: 'commentary' }) } as const
    const result: Message = { role: 'tool', callId: 'call_1', name: 'f', content: [{ type: 'text', text: 'ok' }] }
    expect(await input(reply(said, custom), result)).toMatchObject([
      { role: 'assistant', phase: 'commentary' },
      { type: 'custom_tool_call', input: 'raw' },
      { type: 'custom_tool_call_output', output: 'ok' },
    ])
  })

  it('toResponsesRequest rejects unsupported settings and fields of the request', async () => {
    await expect(sent({ settings: { seed: 1 } })).rejects.toMatchObject({ code: 'model-unsupported' })
    await expect(sent({ settings: { stopSequences: ['x'] } })).rejects.toMatchObject({ code: 'model-unsupported' })
    const providerOptions = { openai: { store: true } }
    await expect(sent({ settings: { providerOptions } })).rejects.toMatchObject({ code: 'config-invalid' })
    expect(await sent({ settings: { providerOptions: { openai: { reasoning: { effort: 'low' } } } } })).toMatchObject({
      reasoning: { effort: 'low' },
    })
  })

  it('toResponsesRequest sends thinking, output format and parallel calls together with added fields', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const providerOptions = { openai: { reasoning: { summary: 'auto' }, text: { verbosity: 'low' } } }
    const settings = {
      thinking: 'minimal',
      output: { name: 'x', schema },
      parallelToolCalls: false,
      providerOptions,
    } as const
    const tools = [{ name: 'f', description: 'd', inputSchema: {} }]
    expect(await sent({ settings, tools })).toMatchObject({
      reasoning: { effort: 'minimal', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'x', strict: true } },
      parallel_tool_calls: false,
    })
    await expect(sent({ settings: { thinking: 'off' } })).rejects.toMatchObject({ code: 'model-unsupported' })
  })

  it('toResponsesRequest adds a reminder message if free JSON is requested, because instructions do not count', async () => {
    const settings = { output: 'json' } as const
    expect(await sent({ settings, system: [{ text: 'Give JSON.' }] })).toMatchObject({
      instructions: 'Give JSON.',
      input: [{ role: 'system', content: 'Answer in JSON.' }],
    })
    const said: Message = { role: 'user', content: [{ type: 'text', text: 'As JSON, please.' }] }
    expect(await sent({ settings, messages: [said] })).toMatchObject({ input: [{ role: 'user' }] })
  })

  it('toResponsesRequest sends encrypted reasoning only to the model that wrote it', async () => {
    const reasoning = { reasoning: { summary: [], encrypted_content: 'cipher' } }
    const answer = reply({ type: 'reasoning', text: '', providerData: own(reasoning) }, { type: 'text', text: 'so' })
    const types = async (model: string): Promise<unknown> =>
      ((await input({ ...answer, model })) as { type?: string }[]).map(item => item.type)
    expect(await types('openai/gpt-5-mini-2025-08-07')).toEqual(['reasoning', undefined])
    expect(await types('openai/o3')).toEqual([undefined])
  })

  it('toResponsesRequest rejects an output limit below the minimum of the API', async () => {
    await expect(sent({ settings: { maxOutputTokens: 15 } })).rejects.toMatchObject({ code: 'model-unsupported' })
    expect(await sent({ settings: { maxOutputTokens: 16 } })).toMatchObject({ max_output_tokens: 16 })
  })

  it('toResponsesRequest rejects sampling while the model reasons', async () => {
    await expect(sent({ settings: { topP: 0.5 } })).rejects.toMatchObject({ code: 'model-unsupported' })
    expect(await sent({ settings: { topP: 0.5 } }, 'gpt-4.1')).toMatchObject({ top_p: 0.5 })
  })
})
