import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ParleyError, type ModelEvent, type ModelRequest } from '@parley/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGoogle, type GoogleOptions } from './create-google.ts'

const request: ModelRequest = {
  system: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  settings: {},
}

interface Sent {
  readonly url: string
  readonly headers: Headers
}

/** Creates a `fetch` that answers with `bodies` in turn and records the requests. */
function recorder(status: number, ...bodies: string[]) {
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = async (url, { headers } = {}) => {
    sent.push({ url: url as string, headers: new Headers(headers) })
    return new Response(bodies[Math.min(sent.length, bodies.length) - 1] ?? '', { status })
  }
  return { fetch, sent }
}

const CHUNK = '{"candidates":[{"content":{"parts":[{"text":"hi"}]},"finishReason":"STOP"}]}'
const STREAM = `data: ${CHUNK}\r\n\r\n`
const answer = [
  { type: 'text.delta', text: 'hi' },
  { type: 'finish', reason: 'stop' },
]

async function ask(options: GoogleOptions, model = 'gemini-2.0-flash'): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of createGoogle(options).model(model).stream(request, {})) events.push(event)
  return events
}

async function failureOf(body: string, status: number): Promise<unknown> {
  const { fetch } = recorder(status, body)
  const error: unknown = await ask({ apiKey: 'planted-key', fetch, retry: { maxRetries: 0 } }).catch(
    (thrown: unknown) => thrown,
  )
  expect((error as Error).message).not.toContain('planted')
  return ParleyError.is(error) ? error.info : error
}

describe('createGoogle', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('createGoogle requests a stream and emits the events of the answer', async () => {
    const { fetch, sent } = recorder(200, STREAM)
    expect(await ask({ apiKey: ' key-of-mine\n', headers: { 'x-a': 'b' }, fetch })).toEqual(answer)
    expect(sent[0]?.url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse',
    )
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({ 'x-goog-api-key': 'key-of-mine', 'x-a': 'b' })
  })

  it('createGoogle reads a list of chunks from a server that ignores alt=sse', async () => {
    const { fetch } = recorder(200, `[${CHUNK}\n]`)
    expect(await ask({ apiKey: 'k', fetch })).toEqual(answer)
  })

  it('createGoogle requests one document for wire json, at any path of a model', async () => {
    const { fetch, sent } = recorder(200, CHUNK)
    const options = { apiKey: 'k', wire: 'json', fetch, baseUrl: 'https://a.example/v1/' } as const
    expect(await ask(options, 'publishers/google/models/x')).toEqual(answer)
    expect(sent[0]?.url).toBe('https://a.example/v1/publishers/google/models/x:generateContent')
  })

  it('createGoogle sends a key of the environment only to Google', async () => {
    vi.stubEnv('GOOGLE_API_KEY', '')
    vi.stubEnv('GEMINI_API_KEY', 'key-of-gemini')
    const { fetch, sent } = recorder(200, STREAM)
    await ask({ fetch })
    await ask({ fetch, baseUrl: 'http://elsewhere.example' })
    vi.stubEnv('GOOGLE_API_KEY', 'key-of-google')
    await ask({ fetch })
    expect(sent.map(({ headers }) => headers.get('x-goog-api-key'))).toEqual(['key-of-gemini', null, 'key-of-google'])
  })

  it('createGoogle requires a key or an authorization header for Google only', () => {
    vi.stubEnv('GOOGLE_API_KEY', '')
    vi.stubEnv('GEMINI_API_KEY', '')
    expect(() => createGoogle()).toThrow(/apiKey/)
    expect(createGoogle({ headers: { Authorization: 'Bearer t' } }).name).toBe('google')
    expect(createGoogle({ baseUrl: 'http://127.0.0.1:1', name: 'mine' }).model('m').provider).toBe('mine')
  })

  it('createGoogle returns built-in facts, and facts that the options give', () => {
    const info = { contextWindow: 8 }
    const provider = createGoogle({ apiKey: 'k', models: { mine: info } })
    expect(provider.model('gemini-2.5-pro').info.pricing?.input).toBe(1.25)
    expect(provider.model('mine').info).toBe(info)
    expect(provider.model('other').info).toEqual({})
  })

  it('createGoogle lists models page by page', async () => {
    const { fetch, sent } = recorder(
      200,
      '{"models":[{"name":"models/a"}],"nextPageToken":"p 2"}',
      '{"models":[{"name":"models/b"}]}',
    )
    expect(await createGoogle({ apiKey: 'k', fetch }).listModels()).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?pageSize=1000', '?pageSize=1000&pageToken=p%202'])
  })

  it('an invalid key and an invalid request, both with status 400, have different codes', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
    const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' }
    expect(await failureOf(JSON.stringify({ error: { ...error, details } }), 400)).toMatchObject({
      code: 'model-auth',
      provider: 'google',
      model: 'gemini-2.0-flash',
      status: 400,
    })
    expect(await failureOf(JSON.stringify({ error: { ...error, message: 'Bad.' } }), 400)).toMatchObject({
      code: 'model-invalid-request',
      detail: 'Bad.',
    })
  })

  it('createGoogle reads an error inside a list, and the wait that it asks for', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7.5s' }]
    const error = { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED', details }
    expect(await failureOf(JSON.stringify([{ error }]), 429)).toMatchObject({
      code: 'model-rate-limited',
      retryAfterMs: 7500,
    })
  })

  it('a conversation that is too long fails with model-context-length', async () => {
    const message = 'The input token count (5) exceeds the maximum number of tokens allowed (4).'
    expect(await failureOf(JSON.stringify({ error: { code: 400, message } }), 400)).toMatchObject({
      code: 'model-context-length',
    })
  })

  it('a call of createGoogle throws the reason of the signal when it is aborted, and closes the socket', async () => {
    const closed = Promise.withResolvers<void>()
    const server = createServer((_, response) => {
      response.on('close', closed.resolve)
      response.writeHead(200)
      response.write('data: {"candidates":[{"content":{"parts":[{"text":"hi"}]}}]}\n\n')
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
    const { stream } = createGoogle({ baseUrl: `http://127.0.0.1:${port}` }).model('m')
    const reading = (async () => {
      for await (const event of stream(request, { signal: controller.signal })) controller.abort(event.type)
    })()
    await expect(reading).rejects.toBe('text.delta')
    await closed.promise
  })
})
