import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import type { RetryPolicy } from '@parley/core'
import { createHttp } from './create-http.ts'

const headers = { authorization: 'Bearer planted-key-123', 'x-api-key': 'planted-key-456' }

/** Returns the error of a call that the server answers with `answer`. */
async function errorOf(
  answer: (...given: Parameters<typeof globalThis.fetch>) => Response | Promise<Response>,
  baseUrl = 'http://a.example',
) {
  const fetch: typeof globalThis.fetch = async (...given) => answer(...given)
  const http = createHttp({ provider: 'acme', baseUrl, headers, fetch, retry: { maxRetries: 0 } })
  const call = {
    path: 'chat',
    format: 'sse',
    createDecoder: () => ({ event: () => 'open' as const, document: () => undefined, end: () => undefined }),
  } as const
  const reader = http.stream(call)[Symbol.asyncIterator]()
  const error: unknown = await reader.next().catch((thrown: unknown) => thrown)
  if (!ParleyError.is(error)) throw new Error('expected a foreseen failure', { cause: error })
  return error
}

it('an attempt that fails within the answer closes its connection', async () => {
  let cancels = 0
  const reader = {
    read: async () => ({ done: false, value: new TextEncoder().encode('data: !\n\n') }),
    cancel: async () => void cancels++,
  }
  const response = { ok: true, status: 200, headers: new Headers(), body: { getReader: () => reader } }
  const http = createHttp({ provider: 'acme', baseUrl: 'http://a.example', fetch: async () => response })
  const stream = http.stream({
    path: 'chat',
    format: 'sse',
    retry: { maxRetries: 0 },
    createDecoder: ({ broken }) => ({
      event() {
        throw broken('the answer is damaged')
      },
      document: () => undefined,
      end: () => undefined,
    }),
  })
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'model-stream' })
  expect(cancels).toBe(1)
})

describe('errors', () => {
  it('an error contains no secret that the server echoes', async () => {
    const echo = '{"error":{"message":"key planted-key-123, Bearer planted-key-123, planted-key-456"}}'
    const error = await errorOf(() => new Response(echo, { status: 401 }))
    expect(error.info).toMatchObject({ code: 'model-auth' })
    expect(`${JSON.stringify(error)} ${error.message}`).not.toContain('planted')
  })

  it('an error and its cause contain no secret that the runtime quotes', async () => {
    const error = await errorOf(() => {
      throw new TypeError('fetch failed for planted-key-456')
    })
    expect(error.code).toBe('model-network')
    expect(error.message).not.toContain('planted')
    expect(error.cause).toBeUndefined()
  })

  it('an error keeps a cause without secrets', async () => {
    const cause = new TypeError('fetch failed', {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    })
    const error = await errorOf(() => {
      throw cause
    })
    expect(error.cause).toBe(cause)
    expect(error.info).toMatchObject({ code: 'model-network', detail: 'fetch failed: ECONNREFUSED: refused' })
  })

  it.each([
    ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
    ['UND_ERR_HEADERS_TIMEOUT', 'first-byte'],
    ['UND_ERR_BODY_TIMEOUT', 'idle'],
  ])('an error names the deadline of the runtime: %s', async (code, deadline) => {
    const error = await errorOf(() => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('late'), { code }) })
    })
    expect(error.info).toMatchObject({ code: 'model-timeout', deadline })
  })

  it('the detail of an error is shortened', async () => {
    const error = await errorOf(() => new Response('x'.repeat(200_000), { status: 400 }))
    expect(error.message.length).toBeLessThan(1300)
  })

  it('an error contains the id of the request', async () => {
    const error = await errorOf(() => new Response('', { status: 400, headers: { 'x-request-id': 'req-7' } }))
    expect(error.info).toMatchObject({ requestId: 'req-7', status: 400, provider: 'acme' })
  })

  it('an error contains no secret of the URL or the headers, in its text or the id of the request', async () => {
    const quoted = 'GET /v1?key=planted-url-key Bearer sk-planted-1234'
    const answer = (): Response => new Response(quoted, { status: 400, headers: { 'x-request-id': quoted } })
    const error = await errorOf(answer, 'https://api.acme.example/v1?key=planted-url-key')
    expect(error.info).toMatchObject({ requestId: 'GET /v1?key=[redacted] Bearer [redacted]' })
    expect(JSON.stringify(error.info)).not.toContain('planted')
  })

  it('an error quotes the markup that a server sent instead of events', async () => {
    const error = await errorOf(() => new Response('<html>Welcome</html>'))
    expect(error.code).toBe('model-stream')
    expect(error.message).toContain('<html>Welcome')
  })
})

describe('createHttp', () => {
  it.each([
    [{ maxRetries: -1 }, 'retry.maxRetries: is -1; must be an integer'],
    [{ maxRetries: 1.5 }, 'retry.maxRetries: is 1.5'],
    [{ maxWaitMs: Number.NaN }, 'retry.maxWaitMs: is NaN'],
    [{ initialDelayMs: Infinity }, 'retry.initialDelayMs: is Infinity'],
    [{ backoff: 'fast' }, "retry.backoff: is 'fast'; must be exponential or linear"],
    [{ backoff: 'linear', factor: 2 }, 'retry.factor: has no effect on linear backoff'],
    [{ factor: 0.5 }, 'retry.factor: is 0.5; must be a number of at least 1'],
    [{ maxDelayMs: -1 }, 'retry.maxDelayMs: is -1'],
    [{ jitter: 2 }, 'retry.jitter: is 2; must be a number from 0 to 1'],
    [{ attempts: 3 }, 'retry.attempts: is an unknown option'],
  ])('createHttp rejects %j', (retry, message) => {
    const options = { provider: 'acme', baseUrl: 'http://a.example', retry: retry as RetryPolicy }
    expect(() => createHttp(options)).toThrow(message)
  })

  it('createHttp waits between attempts as its policy says', async () => {
    const waits: number[] = []
    const retry = { maxRetries: 4, initialDelayMs: 10, factor: 3, maxDelayMs: 100, jitter: 0.5 }
    const sleep = async (ms: number): Promise<void> => void waits.push(ms)
    const fetch: typeof globalThis.fetch = async () => new Response('', { status: 500 })
    const http = createHttp({ provider: 'acme', baseUrl: 'http://a.example', retry, sleep, fetch, random: () => 0 })
    await expect(http.json({ path: 'models' })).rejects.toMatchObject({ code: 'model-server' })
    expect(waits).toEqual([10, 30, 90, 100])
  })

  it('the retry policy of a call replaces fields of the policy of createHttp', async () => {
    const waits: number[] = []
    const own = { maxRetries: 4, initialDelayMs: 10, factor: 3, jitter: 0 }
    const sleep = async (ms: number): Promise<void> => void waits.push(ms)
    const fetch: typeof globalThis.fetch = async () => new Response('', { status: 500 })
    const http = createHttp({ provider: 'acme', baseUrl: 'http://a.example', retry: own, sleep, fetch })
    const createDecoder = () => ({ event: () => 'open' as const, document: () => {}, end: () => {} })
    const read = async (retry: RetryPolicy): Promise<void> => {
      for await (const event of http.stream({ path: 'models', format: 'json', createDecoder, retry })) void event
    }
    const ask = async (retry: RetryPolicy): Promise<readonly number[]> => {
      await expect(read(retry)).rejects.toMatchObject({ code: 'model-server' })
      return waits.splice(0)
    }
    expect(await ask({ maxRetries: 2, initialDelayMs: undefined })).toEqual([10, 30])
    expect(await ask({ backoff: 'linear', maxRetries: 3, initialDelayMs: 5 })).toEqual([5, 10, 15])
    expect(await ask({ maxRetries: 0 })).toEqual([])
    expect(await ask({})).toEqual([10, 30, 90, 270])
    await expect(read({ maxRetries: -1 })).rejects.toMatchObject({ info: { path: 'retry.maxRetries' } })
  })
})
