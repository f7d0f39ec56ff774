import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ParleyError, type ModelEvent, type ModelRequest } from '@parley/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createOpenAI, type OpenAIOptions } from './create-openai.ts'

const request: ModelRequest = {
  system: [{ text: 'be brief' }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  settings: {},
}

interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** Creates a `fetch` that answers with `body` and records the requests. */
function recorder(body: string, status = 200): { readonly fetch: typeof globalThis.fetch; readonly sent: Sent[] } {
  const sent: Sent[] = []
  return {
    sent,
    async fetch(url, { headers, body: text } = {}) {
      const parsed = typeof text === 'string' ? (JSON.parse(text) as Sent['body']) : {}
      sent.push({ url: url as string, headers: new Headers(headers), body: parsed })
      return new Response(body, { status })
    },
  }
}

const STREAM = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

async function ask(options: OpenAIOptions, model = 'm'): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of createOpenAI(options).model(model).stream(request, {})) events.push(event)
  return events
}

describe('createOpenAI', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('createOpenAI calls chat completions and emits the events of the answer', async () => {
    const { fetch, sent } = recorder(STREAM)
    expect(
      await ask({ apiKey: ' key-of-mine\n', organization: 'org', headers: { 'x-a': 'b' }, fetch }, 'gpt-4.1'),
    ).toEqual([
      { type: 'text.delta', text: 'hi' },
      { type: 'finish', reason: 'stop' },
    ])
    expect(sent[0]?.url).toBe('https://api.openai.com/v1/chat/completions')
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
      authorization: 'Bearer key-of-mine',
      'openai-organization': 'org',
      'x-a': 'b',
    })
    expect(sent[0]?.body).toMatchObject({ model: 'gpt-4.1', messages: [{ role: 'system' }, { role: 'user' }] })
  })

  it('createOpenAI sends instructions for reasoning models with the role developer', async () => {
    const { fetch, sent } = recorder(STREAM)
    for (const model of ['gpt-5-mini', 'o3', 'gpt-5-chat-latest', 'gpt-4o']) await ask({ apiKey: 'k', fetch }, model)
    const roles = sent.map(({ body }) => (body['messages'] as { role: string }[])[0]?.role)
    expect(roles).toEqual(['developer', 'developer', 'system', 'system'])
  })

  it('createOpenAI requests one document for wire json', async () => {
    const { fetch, sent } = recorder('{"choices":[{"message":{"content":"hi"},"finish_reason":"length"}]}')
    expect(await ask({ apiKey: 'k', wire: 'json', fetch })).toEqual([
      { type: 'text.delta', text: 'hi' },
      { type: 'finish', reason: 'length' },
    ])
    expect(sent[0]?.body).toMatchObject({ stream: false })
  })

  it('createOpenAI sends a key of the environment only to its own service', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'key-of-openai')
    vi.stubEnv('GROQ_API_KEY', 'key-of-groq')
    vi.stubEnv('OPENAI_BASE_URL', '')
    const { fetch, sent } = recorder(STREAM)
    await ask({ fetch })
    await ask({ fetch, baseUrl: 'https://api.groq.com/openai/v1' })
    await ask({ fetch, baseUrl: 'http://elsewhere.example/v1' })
    await ask({ fetch, baseUrl: 'http://elsewhere.example/v1', quirks: 'openai' })
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer key-of-openai',
      'Bearer key-of-groq',
      null,
      null,
    ])
    vi.stubEnv('OPENAI_BASE_URL', 'http://proxy.example/v1')
    await ask({ fetch })
    expect(sent.at(-1)?.url).toBe('http://proxy.example/v1/chat/completions')
    expect(sent.at(-1)?.headers.get('authorization')).toBe('Bearer key-of-openai')
  })

  it('createOpenAI requires a key for OpenAI only', () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    vi.stubEnv('OPENAI_BASE_URL', '')
    expect(() => createOpenAI()).toThrow(/OPENAI_API_KEY/)
    expect(() => createOpenAI({ baseUrl: 'http://localhost:8000/v1' })).not.toThrow()
  })

  it('createOpenAI sends an Azure key in the header api-key', async () => {
    const { fetch, sent } = recorder(STREAM)
    await ask({ fetch, apiKey: 'azure-key', baseUrl: 'https://mine.openai.azure.com/openai/v1?api-version=1' })
    expect(sent[0]?.url).toBe('https://mine.openai.azure.com/openai/v1/chat/completions?api-version=1')
    expect(sent[0]?.headers.get('api-key')).toBe('azure-key')
    expect(sent[0]?.headers.has('authorization')).toBe(false)
  })

  it('createOpenAI is named after its profile unless the options give a name', () => {
    const baseUrl = 'https://openrouter.ai/api/v1'
    expect(createOpenAI({ baseUrl }).name).toBe('openrouter')
    expect(createOpenAI({ baseUrl, name: 'mine' }).model('m').provider).toBe('mine')
    expect(createOpenAI({ baseUrl, quirks: { profile: 'own' } }).name).toBe('own')
  })

  it('createOpenAI returns built-in facts, facts that the options give, and {} for other models', () => {
    const info = { contextWindow: 7 }
    const provider = createOpenAI({ apiKey: 'k', models: { mine: info } })
    expect(provider.model('gpt-4.1').info.pricing?.input).toBe(2)
    expect(provider.model('mine').info).toBe(info)
    expect(provider.model('other').info).toEqual({})
    expect(createOpenAI({ baseUrl: 'http://localhost:1/v1' }).model('gpt-4.1').info).toEqual({})
  })

  it('createOpenAI lists models', async () => {
    const { fetch, sent } = recorder('{"data":[{"id":"a"}]}')
    expect(await createOpenAI({ apiKey: 'k', fetch }).listModels()).toEqual([{ id: 'a' }])
    expect(sent[0]?.url).toBe('https://api.openai.com/v1/models')
  })

  it('a rejected key fails with model-auth, provider and model, without the key in the message', async () => {
    const { fetch } = recorder('{"error":{"message":"Incorrect API key provided: planted-key"}}', 401)
    const error: unknown = await ask({ apiKey: 'planted-key', fetch }).catch((thrown: unknown) => thrown)
    expect(ParleyError.is(error, 'model-auth') ? error.info : error).toMatchObject({
      code: 'model-auth',
      provider: 'openai',
      model: 'm',
      status: 401,
    })
    expect((error as Error).message).not.toContain('planted')
  })

  it('a call of createOpenAI throws the reason of the signal when it is aborted, and closes the socket', async () => {
    const closed = Promise.withResolvers<void>()
    const server = createServer((_, response) => {
      response.on('close', closed.resolve)
      response.writeHead(200)
      response.write('data: {"choices":[{"delta":{"content":"hi"}}]}\n\n')
    })
    await using _ = {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    }
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const controller = new AbortController()
    const { port } = server.address() as AddressInfo
    const { stream } = createOpenAI({ baseUrl: `http://127.0.0.1:${port}/v1` }).model('m')
    const reading = (async () => {
      for await (const event of stream(request, { signal: controller.signal })) controller.abort(event.type)
    })()
    await expect(reading).rejects.toBe('text.delta')
    await closed.promise
  })
})
