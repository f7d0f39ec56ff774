import type { AssistantMessage, Message, ModelRequest } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createOllama, type OllamaOptions } from './create-ollama.ts'

/** Returns the body that the public provider sends for a request. */
async function sent(
  request: Partial<ModelRequest>,
  { options = {}, id = 'qwen3:8b' }: { readonly options?: OllamaOptions; readonly id?: string } = {},
): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = []
  const fetch: typeof globalThis.fetch = async (_, { body } = {}) => {
    bodies.push(JSON.parse(body as string) as Record<string, unknown>)
    return new Response('{"message":{"content":""},"done":true,"done_reason":"stop"}\n')
  }
  const model = createOllama({ baseUrl: 'http://127.0.0.1:1', fetch, ...options }).model(id)
  for await (const event of model.stream({ system: [], messages: [], tools: [], settings: {}, ...request }, {}))
    expect(event).toEqual({ type: 'finish', reason: 'stop' })
  return bodies[0] ?? {}
}

const messages = async (...list: Message[]): Promise<unknown> => (await sent({ messages: list }))['messages']
const reply = (...content: AssistantMessage['content']): AssistantMessage => ({ role: 'assistant', content })
const text = (words: string) => ({ type: 'text', text: words }) as const
const call = { type: 'tool-call', callId: 'c1', name: 'f', arguments: '{"x":1}' } as const
const image = { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } } as const
const tool = { name: 'f', description: 'd', inputSchema: { type: 'object', properties: {} } }
const base = { model: 'qwen3:8b', stream: true, truncate: false, shift: false }

describe('toChatRequest', () => {
  it('toChatRequest requests an error instead of truncation unless overflow is truncate', async () => {
    expect(await sent({})).toEqual({ ...base, messages: [] })
    expect(await sent({}, { options: { overflow: 'truncate' } })).toEqual({
      model: 'qwen3:8b',
      stream: true,
      messages: [],
    })
  })

  it('toChatRequest sends instructions, tools, settings and the server settings', async () => {
    const settings = { maxOutputTokens: 9, temperature: 0, topP: 0.5, stopSequences: ['x'], seed: 7 }
    const request = { system: [{ text: 'a' }, { text: 'b' }], tools: [tool], settings }
    expect(await sent(request, { options: { contextWindow: 8192, keepAlive: '10m' } })).toEqual({
      ...base,
      keep_alive: '10m',
      options: { num_ctx: 8192, num_predict: 9, temperature: 0, top_p: 0.5, stop: ['x'], seed: 7 },
      messages: [{ role: 'system', content: 'a\n\nb' }],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: tool.inputSchema } }],
    })
  })

  it('toChatRequest requests JSON, with a schema if one is given, and thoughts', async () => {
    const schema = { type: 'object' }
    expect(await sent({ settings: { output: 'json', thinking: 'low' } })).toMatchObject({ format: 'json', think: true })
    expect(await sent({ settings: { output: { name: 'n', schema } } })).toMatchObject({ format: schema })
    expect(await sent({ settings: { thinking: 'medium' } }, { id: 'gpt-oss:20b' })).toMatchObject({ think: 'medium' })
  })

  it('toChatRequest sends no tools for the tool choice none', async () => {
    expect(await sent({ tools: [tool], toolChoice: 'none' })).not.toHaveProperty('tools')
  })

  it('toChatRequest rejects settings that Ollama does not support', async () => {
    const refused = { code: 'model-unsupported' }
    await expect(sent({ tools: [tool], toolChoice: 'required' })).rejects.toMatchObject(refused)
    await expect(sent({ tools: [tool], toolChoice: { name: 'f' } })).rejects.toMatchObject(refused)
    await expect(sent({ settings: { parallelToolCalls: false } })).rejects.toMatchObject(refused)
    await expect(sent({ settings: { thinking: { budgetTokens: 9 } } })).rejects.toMatchObject(refused)
    expect(await sent({ settings: { parallelToolCalls: true, cache: 'off' } })).toEqual({ ...base, messages: [] })
  })

  it('toChatRequest merges provider options field by field, and rejects fields of the request', async () => {
    const ollama = { options: { top_k: 3, seed: 1 }, think: true }
    expect(await sent({ settings: { seed: 7, topP: 1, providerOptions: { ollama } } })).toMatchObject({
      think: true,
      options: { top_k: 3, seed: 1, top_p: 1 },
    })
    const providerOptions = { ollama: { stream: false } }
    await expect(sent({ settings: { providerOptions } })).rejects.toMatchObject({ code: 'config-invalid' })
  })
})

describe('messages', () => {
  it('messages have text content and raw images, and each result names its tool', async () => {
    expect(
      await messages(
        { role: 'system', content: 'note' },
        { role: 'user', content: [text('a'), image, text('b')] },
        reply(text('so'), call, { ...call, callId: 'c2', providerData: { provider: 'ollama', data: { id: 'w' } } }),
        { role: 'tool', callId: 'c1', name: 'f', content: [image] },
        { role: 'tool', callId: 'c2', name: 'f', content: [text('7'), text('8')] },
        { role: 'user', content: [text('and?')] },
      ),
    ).toEqual([
      { role: 'system', content: 'note' },
      { role: 'user', content: 'a\nb', images: ['AAAA'] },
      {
        role: 'assistant',
        content: 'so',
        tool_calls: [
          { function: { name: 'f', arguments: { x: 1 } } },
          { id: 'w', function: { name: 'f', arguments: { x: 1 } } },
        ],
      },
      { role: 'tool', tool_name: 'f', content: 'An image follows.' },
      { role: 'tool', tool_name: 'f', tool_call_id: 'w', content: '7\n8' },
      { role: 'user', content: 'Images from f:', images: ['AAAA'] },
      { role: 'user', content: 'and?' },
    ])
  })

  it('messages contain thoughts only during a tool loop in progress', async () => {
    const thoughtful = reply({ type: 'reasoning', text: 'hm' }, call)
    const result: Message = { role: 'tool', callId: 'c1', name: 'f', content: [text('7')] }
    expect(await messages(thoughtful, result)).toMatchObject([{ thinking: 'hm' }, {}])
    const [closed] = (await messages(thoughtful, result, { role: 'user', content: [text('a')] })) as object[]
    expect(closed).not.toHaveProperty('thinking')
  })

  it('messages wrap arguments that are not a JSON object', async () => {
    expect(await messages(reply({ ...call, arguments: '{"x":' }))).toMatchObject([
      { tool_calls: [{ function: { arguments: { unparsed: '{"x":' } } }] },
    ])
  })

  it('files that are not images, and image URLs, are rejected', async () => {
    for (const file of [
      { ...image, mediaType: 'application/pdf' },
      { ...image, source: { type: 'url', url: 'https://a.example/b' } as const },
    ])
      await expect(messages({ role: 'user', content: [file] })).rejects.toMatchObject({ code: 'model-unsupported' })
  })
})
