import type { AssistantMessage, Message, ModelRequest, ModelSettings } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createGoogle } from '../create-google.ts'

/** Returns the body that the public provider sends for a request. */
async function sent(request: Partial<ModelRequest>, id = 'gemini-2.0-flash'): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = []
  const fetch: typeof globalThis.fetch = async (_, { body } = {}) => {
    bodies.push(JSON.parse(body as string) as Record<string, unknown>)
    return new Response('data: {"candidates":[{"finishReason":"STOP"}]}\n\n')
  }
  const model = createGoogle({ apiKey: 'k', fetch }).model(id)
  for await (const event of model.stream({ system: [], messages: [], tools: [], settings: {}, ...request }, {}))
    expect(event).toEqual({ type: 'finish', reason: 'stop' })
  return bodies[0] ?? {}
}

const contents = async (id: string, ...messages: Message[]): Promise<unknown> =>
  (await sent({ messages }, id))['contents']
const settings = async (fields: ModelSettings, id?: string): Promise<unknown> =>
  (await sent({ settings: fields }, id))['generationConfig']
const reply = (...content: AssistantMessage['content']): AssistantMessage => ({ role: 'assistant', content })
const result = (callId: string, text: string, isError = false): Message => ({
  role: 'tool',
  callId,
  name: 'f',
  content: [{ type: 'text', text }],
  ...(isError ? { isError } : {}),
})
const call = { type: 'tool-call', callId: 'c1', name: 'f', arguments: '{"x":1}' } as const
const image = { type: 'file', mediaType: 'image/*', source: { type: 'base64', data: '/9j/AAAA' } } as const
const wireImage = { inlineData: { mimeType: 'image/jpeg', data: '/9j/AAAA' } }
const own = (data: Record<string, string>, provider = 'google') => ({ providerData: { provider, data } })
const tool = { name: 'f', description: 'd', inputSchema: { type: 'object', properties: {} } }

describe('toGeminiRequest', () => {
  it('toGeminiRequest sends only the fields that the request needs', async () => {
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]
    expect(await sent({ messages })).toEqual({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })
  })

  it('toGeminiRequest sends instructions, tools and settings', async () => {
    const fields = { maxOutputTokens: 9, temperature: 0, topP: 0.5, stopSequences: ['x'], seed: 7 }
    expect(await sent({ system: [{ text: 'a' }, { text: 'b' }], tools: [tool], settings: fields })).toEqual({
      contents: [],
      systemInstruction: { parts: [{ text: 'a' }, { text: 'b' }] },
      tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: tool.inputSchema }] }],
      generationConfig: fields,
    })
  })

  it('toGeminiRequest sends every tool choice', async () => {
    const choice = async (toolChoice: ModelRequest['toolChoice'], tools = [tool]): Promise<unknown> =>
      (await sent({ tools, toolChoice }))['toolConfig']
    expect(await choice('auto')).toBeUndefined()
    expect(await choice('none')).toEqual({ functionCallingConfig: { mode: 'NONE' } })
    expect(await choice('required')).toEqual({ functionCallingConfig: { mode: 'ANY' } })
    expect(await choice({ name: 'f' })).toEqual({ functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } })
    expect(await choice('required', [])).toBeUndefined()
  })

  it('toGeminiRequest requests JSON, with a schema if one is given', async () => {
    const schema = { type: 'object' }
    expect(await settings({ output: 'json' })).toEqual({ responseMimeType: 'application/json' })
    expect(await settings({ output: { name: 'n', schema } })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    })
  })

  it('toGeminiRequest requests thoughts in the form of the model', async () => {
    expect(await settings({ thinking: 'low' }, 'gemini-3.1-pro-preview')).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
    })
    await expect(settings({ thinking: 'off' }, 'gemini-3.1-pro-preview')).rejects.toMatchObject({
      info: { code: 'model-unsupported', provider: 'google', model: 'gemini-3.1-pro-preview' },
    })
  })

  it('toGeminiRequest rejects parallelToolCalls false', async () => {
    await expect(settings({ parallelToolCalls: false })).rejects.toMatchObject({ code: 'model-unsupported' })
    expect(await settings({ parallelToolCalls: true, cache: 'off' })).toBeUndefined()
  })

  it('toGeminiRequest merges provider options field by field, and rejects fields of the request', async () => {
    const google = {
      generationConfig: { topK: 3, temperature: 1 },
      tools: [{ googleSearch: {} }],
      toolConfig: { retrievalConfig: { languageCode: 'de' } },
      cachedContent: 'cachedContents/a',
    }
    expect(
      await sent(
        {
          tools: [tool],
          toolChoice: 'none',
          settings: { temperature: 0, topP: 1, providerOptions: { google, other: { contents: [] } } },
        },
        'gemini-3-flash-preview',
      ),
    ).toMatchObject({
      generationConfig: { topK: 3, temperature: 1, topP: 1 },
      tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: 'NONE' }, retrievalConfig: { languageCode: 'de' } },
      cachedContent: 'cachedContents/a',
    })
    const providerOptions = { google: { contents: [] } }
    await expect(sent({ settings: { providerOptions } })).rejects.toMatchObject({ code: 'config-invalid' })
  })
})

describe('contents', () => {
  const OLD = 'gemini-2.5-pro'
  const NEW = 'gemini-3.1-pro-preview'

  it('contents hold all results of a message in one turn, in order, followed by their files', async () => {
    const messages: Message[] = [
      reply(call, { ...call, callId: 'c2', ...own({ id: 'w2' }) }),
      { role: 'tool', callId: 'c1', name: 'f', content: [image] },
      result('c2', 'no', true),
      { role: 'user', content: [{ type: 'text', text: 'so?' }] },
    ]
    expect(await contents(OLD, ...messages)).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { x: 1 } } },
          { functionCall: { id: 'w2', name: 'f', args: { x: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { output: 'A file follows.' } } },
          { functionResponse: { id: 'w2', name: 'f', response: { error: 'no' } } },
          { text: 'Files from f:' },
          wireImage,
        ],
      },
      { role: 'user', parts: [{ text: 'so?' }] },
    ])
  })

  it('contents hold files by value and by URL, and later system messages in tags', async () => {
    const url = {
      type: 'file',
      mediaType: 'application/pdf',
      source: { type: 'url', url: 'https://a.example/b' },
    } as const
    const anyImage = { ...url, mediaType: 'image/*' }
    expect(
      await contents(OLD, { role: 'system', content: 'note' }, { role: 'user', content: [image, url, anyImage] }),
    ).toEqual([
      { role: 'user', parts: [{ text: '<system>\nnote\n</system>' }] },
      {
        role: 'user',
        parts: [
          wireImage,
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/b' } },
          { fileData: { fileUri: 'https://a.example/b' } },
        ],
      },
    ])
  })

  it('contents hold signatures on their parts, only for models of the same generation', async () => {
    const signature = own({ thoughtSignature: 's', model: 'gemini-3-flash-preview' })
    const message = reply(
      { type: 'reasoning', text: 'unsigned' },
      { type: 'reasoning', text: 'a', ...signature },
      { type: 'text', text: 'b', ...signature },
      { type: 'text', text: '', ...signature },
      { ...call, ...signature },
      { ...image, mediaType: 'image/jpeg', ...signature },
    )
    const thoughtSignature = 's'
    const functionCall = { name: 'f', args: { x: 1 } }
    expect(await contents(NEW, message)).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'a', thought: true, thoughtSignature },
          { text: 'b', thoughtSignature },
          { text: '', thoughtSignature },
          { functionCall, thoughtSignature },
          { ...wireImage, thoughtSignature },
        ],
      },
    ])
    expect(await contents(OLD, message)).toEqual([
      { role: 'model', parts: [{ text: 'b' }, { functionCall }, wireImage] },
    ])
  })

  it("contents mark the first call of another model's message if the model requires signatures", async () => {
    const foreign = reply(
      { ...call, ...own({ thoughtSignature: 's', model: NEW }, 'other') },
      { ...call, callId: 'c2' },
    )
    const functionCall = { name: 'f', args: { x: 1 } }
    expect(await contents(NEW, foreign)).toEqual([
      {
        role: 'model',
        parts: [{ functionCall, thoughtSignature: 'skip_thought_signature_validator' }, { functionCall }],
      },
    ])
    expect(await contents(OLD, foreign)).toEqual([{ role: 'model', parts: [{ functionCall }, { functionCall }] }])
  })

  it('contents hold unknown parts of the same provider, and no empty turns', async () => {
    const part = { executableCode: { code: '1' }, thoughtSignature: 's' }
    const opaque = (provider: string) => ({ type: 'opaque', providerData: { provider, data: { part } } }) as const
    expect(await contents(NEW, reply(opaque('google')))).toEqual([{ role: 'model', parts: [part] }])
    expect(
      await contents(NEW, reply(opaque('other')), { role: 'user', content: [{ type: 'text', text: '' }] }),
    ).toEqual([])
  })

  it('contents wrap arguments that are not a JSON object', async () => {
    expect(await contents(OLD, reply({ ...call, arguments: '{"x":' }))).toMatchObject([
      { parts: [{ functionCall: { args: { unparsed: '{"x":' } } }] },
    ])
  })

  it("toGeminiRequest rejects functions beside Google's own tools for models before Gemini 3", async () => {
    const mixed = { tools: [tool], settings: { providerOptions: { google: { tools: [{ googleSearch: {} }] } } } }
    await expect(sent(mixed, 'gemini-2.5-flash')).rejects.toMatchObject({ code: 'model-unsupported' })
    expect((await sent(mixed, 'gemini-3-flash-preview'))['tools']).toHaveLength(2)
    expect((await sent(mixed, 'tuned'))['tools']).toHaveLength(2)
    expect((await sent({ ...mixed, tools: [] }, 'gemini-2.5-flash'))['tools']).toHaveLength(1)
  })

  it('toGeminiRequest rejects more than five stop sequences', async () => {
    const stopSequences = ['a', 'b', 'c', 'd', 'e']
    expect(await settings({ stopSequences })).toEqual({ stopSequences })
    await expect(settings({ stopSequences: [...stopSequences, 'f'] })).rejects.toMatchObject({
      code: 'model-unsupported',
    })
  })
})
