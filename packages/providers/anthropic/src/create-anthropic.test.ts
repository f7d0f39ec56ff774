import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ParleyError, type ModelEvent, type ModelRequest } from '@parley/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAnthropic, type AnthropicOptions } from './create-anthropic.ts'
import { rulesOfModel } from './models/model-rules.ts'

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

const STREAM = [
  { type: 'message_start', message: { id: 'msg_1' } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  { type: 'message_stop' },
]
  .map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')
const EVENTS = [{ type: 'text.delta', text: 'hi' }, { type: 'text.end' }, { type: 'finish', reason: 'stop' }]

async function ask(options: AnthropicOptions, model = 'claude-haiku-4-5'): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of createAnthropic(options).model(model).stream(request, {})) events.push(event)
  return events
}

describe('createAnthropic', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('createAnthropic requests at most 21,333 output tokens by default for wire json', async () => {
    const document = JSON.stringify({ content: [], stop_reason: 'end_turn' })
    const { fetch, sent } = recorder(document)
    await ask({ apiKey: 'k', wire: 'json', fetch })
    await ask({ apiKey: 'k', wire: 'json', fetch }, 'claude-3-haiku-20240307')
    expect(sent.map(({ body }) => body['max_tokens'])).toEqual([21_333, 4096])
    const { fetch: streamed, sent: asked } = recorder(STREAM)
    await ask({ apiKey: 'k', fetch: streamed })
    expect(asked[0]?.body['max_tokens']).toBe(64_000)
  })

  it('createAnthropic calls the Messages API and emits the events of the answer', async () => {
    const { fetch, sent } = recorder(STREAM)
    expect(await ask({ apiKey: ' key-of-mine\n', betas: ['a', 'b'], headers: { 'x-a': 'b' }, fetch })).toEqual(EVENTS)
    expect(sent[0]?.url).toBe('https://api.anthropic.com/v1/messages')
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
      'x-api-key': 'key-of-mine',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
      'x-a': 'b',
    })
    expect(sent[0]?.body).toMatchObject({ model: 'claude-haiku-4-5', stream: true, system: [{ text: 'be brief' }] })
  })

  it('createAnthropic sends the given version, and no beta header without betas', async () => {
    const { fetch, sent } = recorder(STREAM)
    await ask({ apiKey: 'k', version: '2030-01-01', fetch })
    expect(sent[0]?.headers.get('anthropic-version')).toBe('2030-01-01')
    expect(sent[0]?.headers.has('anthropic-beta')).toBe(false)
  })

  it('createAnthropic requests one document for wire json', async () => {
    const document = { type: 'message', content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn' }
    const { fetch, sent } = recorder(JSON.stringify(document))
    expect(await ask({ apiKey: 'k', wire: 'json', fetch })).toEqual(EVENTS)
    expect(sent[0]?.body).toMatchObject({ stream: false })
  })

  it('createAnthropic sends the key of the environment only to Anthropic and to ANTHROPIC_BASE_URL', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-anthropic')
    vi.stubEnv('ANTHROPIC_BASE_URL', '')
    const { fetch, sent } = recorder(STREAM)
    await ask({ fetch })
    await ask({ fetch, baseUrl: 'http://elsewhere.example/v1' })
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://proxy.example/')
    await ask({ fetch })
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://proxy.example/v1')
    await ask({ fetch })
    expect(sent.map(({ url, headers }) => [url, headers.get('x-api-key')])).toEqual([
      ['https://api.anthropic.com/v1/messages', 'key-of-anthropic'],
      ['http://elsewhere.example/v1/messages', null],
      ['http://proxy.example/v1/messages', 'key-of-anthropic'],
      ['http://proxy.example/v1/messages', 'key-of-anthropic'],
    ])
  })

  it('createAnthropic requires a key or an authorization header for Anthropic, but not for other servers', () => {
    vi.stubEnv('ANTHROPIC_API_KEY', '')
    vi.stubEnv('ANTHROPIC_BASE_URL', '')
    expect(() => createAnthropic()).toThrow(/ANTHROPIC_API_KEY/)
    expect(() => createAnthropic({ headers: { Authorization: 'Bearer t' } })).not.toThrow()
    expect(() => createAnthropic({ baseUrl: 'http://localhost:11434/v1' })).not.toThrow()
  })

  it('createAnthropic returns built-in facts, and uses given facts and rules', async () => {
    const info = { maxOutputTokens: 77, rules: rulesOfModel('claude-3-haiku') }
    const { fetch, sent } = recorder(STREAM)
    const options = { apiKey: 'k', models: { mine: info }, fetch, name: 'cloud' }
    const provider = createAnthropic(options)
    expect(provider.model('claude-opus-5-5').info.pricing?.input).toBe(4)
    expect(provider.model('mine').info).toBe(info)
    expect(provider.model('other').info).toEqual({})
    expect([provider.name, provider.model('mine').provider]).toEqual(['cloud', 'cloud'])
    await ask(options, 'mine')
    expect(sent[0]?.body).toMatchObject({ max_tokens: 77 })
  })

  it('the thinking budget may exceed the output limit only with the interleaved-thinking beta', async () => {
    const settings = { thinking: { budgetTokens: 4000 }, maxOutputTokens: 2000 }
    const call = async (betas: string[], fetch: typeof globalThis.fetch): Promise<void> => {
      const model = createAnthropic({ apiKey: 'k', betas, fetch }).model('claude-sonnet-4-5')
      for await (const event of model.stream({ ...request, settings }, {})) void event
    }
    const { fetch, sent } = recorder(STREAM)
    await expect(call([], fetch)).rejects.toThrow(/must be below/)
    expect(sent).toEqual([])
    await call(['interleaved-thinking-2025-05-14'], fetch)
    expect(sent[0]?.body).toMatchObject({ thinking: { budget_tokens: 4000 }, max_tokens: 2000 })
  })

  it('createAnthropic lists models', async () => {
    const { fetch, sent } = recorder('{"data":[{"id":"a"}]}')
    expect(await createAnthropic({ apiKey: 'k', fetch }).listModels()).toEqual([{ id: 'a' }])
    expect(sent[0]?.url).toBe('https://api.anthropic.com/v1/models?limit=1000')
  })

  it('a rejected key fails with model-auth, provider and model, without the key in the message', async () => {
    const error = { type: 'authentication_error', message: 'invalid x-api-key planted-key' }
    const { fetch } = recorder(JSON.stringify({ type: 'error', error }), 401)
    const thrown: unknown = await ask({ apiKey: 'planted-key\n', fetch }).catch((reason: unknown) => reason)
    expect(ParleyError.is(thrown, 'model-auth') ? thrown.info : thrown).toMatchObject({
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      status: 401,
    })
    expect((thrown as Error).message).not.toContain('planted')
  })

  it('createAnthropic retries if the server is overloaded before the answer begins', async () => {
    const overloaded = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n'
    const bodies = [overloaded, STREAM]
    const fetch: typeof globalThis.fetch = async () => new Response(bodies.shift())
    const events = await ask({ apiKey: 'k', fetch })
    expect(events[0]).toMatchObject({ type: 'retry', error: { code: 'model-overloaded' } })
    expect(events.slice(1)).toEqual(EVENTS)
  })

  it('a call of createAnthropic throws the reason of the signal when it is aborted, and closes the socket', async () => {
    const closed = Promise.withResolvers<void>()
    const server = createServer((_, response) => {
      response.on('close', closed.resolve)
      response.writeHead(200)
      response.write(STREAM.slice(0, STREAM.indexOf('event: content_block_stop')))
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
    const { stream } = createAnthropic({ baseUrl: `http://127.0.0.1:${port}/v1` }).model('m')
    const reading = (async () => {
      for await (const event of stream(request, { signal: controller.signal })) controller.abort(event.type)
    })()
    await expect(reading).rejects.toBe('text.delta')
    await closed.promise
  })
})
