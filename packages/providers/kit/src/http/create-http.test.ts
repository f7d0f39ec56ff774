import { gzipSync } from 'node:zlib'
import { ParleyError, type ErrorInfo, type ModelEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { fail, hang, serve, sse } from '../__fixtures__/serve.ts'
import type { AnswerContext, AnswerDecoder } from '../decode/answer-decoder.ts'
import { createHttp, type Http, type HttpOptions } from './create-http.ts'
import { createUndiciFetch } from '../undici/create-undici-fetch.ts'

/** Reads a toy format: text is emitted, `.` settles the answer, `#` completes it, `!` is a reported overload, `?` is an invisible event. */
function createDecoder({ emit, broken, reported }: AnswerContext): AnswerDecoder {
  let ended = false
  return {
    event(data) {
      if (data === '!') throw reported({ error: { type: 'overloaded_error', message: 'Busy.' } })
      if (data === '.' || data === '#') ended = true
      else if (data !== '?') emit({ type: 'text.delta', text: data })
      return data === '#' ? 'complete' : ended ? 'settled' : 'open'
    },
    document: body => {
      emit({ type: 'text.delta', text: JSON.stringify(body) })
      ended = true
    },
    end() {
      if (!ended) throw broken('cut')
      emit({ type: 'finish', reason: 'stop' })
    },
  }
}

const instant = { sleep: () => Promise.resolve(), random: () => 0 }

async function collect(http: Http, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const call = { path: 'chat', body: () => '{}', format: 'sse', model: 'acme-1', createDecoder, signal } as const
  for await (const event of http.stream(call)) events.push(event)
  return events
}

async function failureOf(http: Http): Promise<ErrorInfo> {
  const error: unknown = await collect(http).catch((thrown: unknown) => thrown)
  if (!ParleyError.is(error)) throw new Error('expected a foreseen failure', { cause: error })
  return error.info
}

const shown: readonly ModelEvent[] = [
  { type: 'text.delta', text: 'hi' },
  { type: 'finish', reason: 'stop' },
]

// Every transport passes the same tests.
describe.each([
  ['what there is by itself', undefined],
  ['fetch', globalThis.fetch],
  ['undici', createUndiciFetch()],
] as const)('createHttp with the transport %s', (_, fetch) => {
  const open = (url: string, options: Partial<HttpOptions> = {}): Http =>
    createHttp({ provider: 'acme', baseUrl: url, fetch, ...options })

  describe('createHttp', () => {
    it('createHttp posts the body and emits the events of the answer', async () => {
      await using server = await serve(sse('hi', '.'))
      expect(await collect(open(`${server.url}/?v=1`, { headers: { 'x-a': 'b' } }))).toEqual(shown)
      const [request] = server.requests
      expect(request?.method).toBe('POST')
      expect(request?.url).toBe('/v1/chat?v=1')
      expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'x-a': 'b' })
    })

    it('createHttp joins the query of a path with the query of the base URL', async () => {
      await using server = await serve(fail(200, {}, '{}'))
      for (const base of [server.url, `${server.url}?v=1`])
        await open(base).json({ method: 'GET', path: 'models?page=2' })
      expect(server.requests.map(({ url }) => url)).toEqual(['/v1/models?page=2', '/v1/models?page=2&v=1'])
    })

    it('createHttp recognizes a document sent instead of a stream, and a stream sent instead of a document', async () => {
      await using server = await serve(fail(200, {}, ' {"a":1}'), sse('hi', '.'))
      expect(await collect(open(server.url))).toEqual([{ type: 'text.delta', text: '{"a":1}' }, shown[1]])
      const events: ModelEvent[] = []
      const call = { path: 'chat', format: 'json', createDecoder } as const
      for await (const event of open(server.url).stream(call)) events.push(event)
      expect(events).toEqual(shown)
    })

    it('createHttp writes the body once for all attempts, and fails the stream if writing throws', async () => {
      await using server = await serve(fail(500), sse('hi', '.'))
      const call = { path: 'chat', format: 'sse', createDecoder } as const
      let written = 0
      const events: ModelEvent[] = []
      for await (const event of open(server.url, instant).stream({ ...call, body: () => `${++written}` }))
        events.push(event)
      expect(events).toHaveLength(3)
      expect(written).toBe(1)
      const body = (): string => {
        throw new TypeError('unwritable')
      }
      const stream = open(server.url).stream({ ...call, body })
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('unwritable')
      expect(server.requests).toHaveLength(2)
    })

    it('createHttp reports a redirect instead of sending the key to its target', async () => {
      await using server = await serve(fail(307, { location: 'http://other.example/' }, ''))
      const error = await failureOf(open(server.url))
      expect(error).toMatchObject({ code: 'model-invalid-request', status: 307 })
      expect(error).toHaveProperty('detail', expect.stringContaining('redirects to http://other.example/'))
    })

    it('createHttp reads a compressed answer', async () => {
      const compressed = gzipSync('data: hi\n\ndata: .\n\n')
      await using server = await serve(response => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        for (const byte of compressed) response.write(Uint8Array.of(byte))
        response.end()
      })
      expect(await collect(open(server.url))).toEqual(shown)
    })

    it('createHttp loses nothing of a long answer whose reader is slow', async () => {
      const pieces = Array.from({ length: 400 }, (_, index) => `${index}`.padEnd(8_000, '-'))
      await using server = await serve(sse(...pieces, '.'))
      const stream = open(server.url).stream({ path: 'chat', format: 'sse', createDecoder })
      let text = ''
      for await (const event of stream) {
        if (event.type === 'text.delta') text += event.text
        if (text.length % 80_000 === 0) await new Promise(resolve => setTimeout(resolve, 1))
      }
      expect(text).toBe(pieces.join(''))
    })

    it('createHttp requests a document', async () => {
      await using server = await serve(fail(200, {}, '{"data":[]}'))
      expect(await open(server.url).json({ method: 'GET', path: 'models' })).toEqual({ data: [] })
      expect(server.requests[0]?.method).toBe('GET')
    })

    it('createHttp reuses the connection after an answer that is complete before its body ends', async () => {
      await using server = await serve(response => {
        response.writeHead(200)
        response.write('data: hi\n\ndata: #\n\n')
        setTimeout(() => response.end(), 5)
      })
      const http = open(server.url)
      let calls = 0
      // A call that begins before the rest of the last body has arrived needs a new connection.
      while (calls < 60 && server.connections() === calls) {
        expect(await collect(http)).toEqual(shown)
        calls++
        await new Promise(resolve => setTimeout(resolve, calls))
      }
      expect(server.connections()).toBeLessThan(calls)
    })

    it('createHttp rejects an invalid base URL, a password in it, and an invalid header without quoting it', () => {
      expect(() => open('localhost')).toThrow(/is not an http or https address/)
      expect(() => open('http://user:planted-key@localhost')).toThrow(/header/)
      const headers = { authorization: 'Bearer planted-key\n!' }
      expect(() => open('http://localhost', { headers })).toThrow(expect.objectContaining({ code: 'config-invalid' }))
      expect(() => open('http://localhost', { headers })).not.toThrow(/planted-key/)
    })
  })

  describe('retries', () => {
    it('createHttp retries after a transient failure and announces each wait', async () => {
      await using server = await serve(fail(500), fail(429, { 'retry-after-ms': '70' }), sse('hi', '.'))
      const waits: number[] = []
      const sleep = async (ms: number): Promise<void> => void waits.push(ms)
      const events = await collect(open(server.url, { sleep, random: () => 0 }))
      expect(events.slice(2)).toEqual(shown)
      expect(events.slice(0, 2)).toMatchObject([
        { type: 'retry', attempt: 1, delayMs: 500, error: { code: 'model-server', status: 500 } },
        { type: 'retry', attempt: 2, delayMs: 70, error: { code: 'model-rate-limited', retryAfterMs: 70 } },
      ])
      expect(waits).toEqual([500, 70])
    })

    it('createHttp fails after the last attempt', async () => {
      await using server = await serve(fail(503))
      expect(await failureOf(open(server.url, instant))).toMatchObject({ code: 'model-overloaded', detail: 'No.' })
      expect(server.requests).toHaveLength(3)
    })

    it.each([400, 401, 403, 404, 413])('createHttp does not repeat a request rejected with status %d', async status => {
      await using server = await serve(fail(status))
      await failureOf(open(server.url, instant))
      expect(server.requests).toHaveLength(1)
    })

    it('createHttp obeys the header x-should-retry', async () => {
      await using server = await serve(fail(500, { 'x-should-retry': 'false' }))
      await failureOf(open(server.url, instant))
      expect(server.requests).toHaveLength(1)
      await using other = await serve(fail(400, { 'x-should-retry': 'true' }), sse('hi', '.'))
      expect(await collect(open(other.url, instant))).toHaveLength(3)
    })

    it('createHttp does not retry a permanent failure, even if the server asks for it', async () => {
      const code = '{"error":{"message":"You ran out.","code":"insufficient_quota"}}'
      await using server = await serve(fail(429, { 'x-should-retry': 'true' }, code))
      expect(await failureOf(open(server.url, instant))).toMatchObject({ code: 'model-quota' })
      expect(server.requests).toHaveLength(1)
    })

    it('createHttp does not wait longer than maxWaitMs, and states the wait in the error', async () => {
      await using server = await serve(fail(429, { 'retry-after': '61' }))
      expect(await failureOf(open(server.url, instant))).toMatchObject({ retryAfterMs: 61_000 })
      expect(server.requests).toHaveLength(1)
    })

    it('createHttp retries a stream that fails before visible output', async () => {
      await using server = await serve(sse('?', '!'), sse('?'), sse('hi', '.'))
      const events = await collect(open(server.url, instant))
      expect(events.map(event => event.type)).toEqual(['retry', 'retry', 'text.delta', 'finish'])
    })

    it('createHttp never retries after visible output', async () => {
      await using server = await serve(sse('hi', '!'), sse('hi', '.'))
      const events: ModelEvent[] = []
      const call = { path: 'chat', format: 'sse', createDecoder } as const
      const reading = (async () => {
        for await (const event of open(server.url, instant).stream(call)) events.push(event)
      })()
      await expect(reading).rejects.toMatchObject({ code: 'model-overloaded' })
      expect(events).toEqual([shown[0]])
      expect(server.requests).toHaveLength(1)
    })

    it('createHttp never retries after a part of the answer, even a signature alone', async () => {
      await using server = await serve(sse('{}', '!'))
      const signing = ({ emit, reported }: AnswerContext): AnswerDecoder => ({
        event(data) {
          if (data === '!') throw reported({ error: { type: 'overloaded_error' } })
          emit({ type: 'text.end', providerData: { provider: 'acme', data: 's' } })
          return 'open'
        },
        document: () => undefined,
        end: () => undefined,
      })
      const events: ModelEvent[] = []
      const stream = open(server.url, instant).stream({ path: 'chat', format: 'sse', createDecoder: signing })
      const reading = (async () => {
        for await (const event of stream) events.push(event)
      })()
      await expect(reading).rejects.toMatchObject({ code: 'model-overloaded' })
      expect(events.map(event => event.type)).toEqual(['text.end'])
    })

    it('createHttp retries after the connection is lost', async () => {
      await using server = await serve(response => void response.socket?.destroy(), sse('hi', '.'))
      const [first] = await collect(open(server.url, instant))
      expect(first).toMatchObject({ type: 'retry', error: { code: 'model-network' } })
    })

    it('an abort ends the wait between attempts at once, without another request', async () => {
      await using server = await serve(fail(429, { 'retry-after': '30' }))
      const controller = new AbortController()
      const stream = open(server.url).stream({ path: 'chat', format: 'sse', createDecoder, signal: controller.signal })
      const reading = (async () => {
        for await (const event of stream) if (event.type === 'retry') setTimeout(() => controller.abort('enough'), 5)
      })()
      await expect(reading).rejects.toBe('enough')
      expect(server.requests).toHaveLength(1)
    })

    it('createHttp sends no further request if a custom sleep ignores the abort', async () => {
      await using server = await serve(fail(500))
      const controller = new AbortController()
      const sleep = async (): Promise<void> => controller.abort('enough')
      await expect(collect(open(server.url, { sleep }), controller.signal)).rejects.toBe('enough')
      // A further request of the stopped call would arrive before this one.
      await failureOf(open(server.url, { retry: { maxRetries: 0 } }))
      expect(server.requests).toHaveLength(2)
    })
  })

  describe('deadlines', () => {
    const once = { retry: { maxRetries: 0 } }

    it.each([
      ['connect', { connectMs: 60 }, (): void => undefined],
      ['first-byte', { firstByteMs: 60 }, hang()],
      ['idle', { idleMs: 60 }, hang('data: hi\n\n')],
      ['total', { totalMs: 60 }, hang('data: hi\n\n')],
    ] as const)(
      'createHttp names the expired %s deadline and closes the socket',
      async (deadline, timeouts, handler) => {
        await using server = await serve(handler)
        expect(await failureOf(open(server.url, { timeouts, ...once }))).toMatchObject({
          code: 'model-timeout',
          deadline,
          ms: 60,
          provider: 'acme',
          model: 'acme-1',
        })
        await expect.poll(server.open).toBe(0)
      },
    )

    it('createHttp retries after a deadline before the answer, but not after one inside the answer', async () => {
      await using silent = await serve(() => undefined, sse('hi', '.'))
      // On a loaded machine, further attempts can expire too.
      const retry = { maxRetries: 100 }
      const events = await collect(open(silent.url, { timeouts: { connectMs: 60 }, retry, ...instant }))
      expect(events[0]).toMatchObject({ type: 'retry', error: { code: 'model-timeout', deadline: 'connect' } })
      expect(events.filter(({ type }) => type !== 'retry')).toEqual(shown)
      await using stuck = await serve(hang('data: ?\n\n'))
      await failureOf(open(stuck.url, { timeouts: { idleMs: 60 }, ...instant }))
      expect(stuck.requests).toHaveLength(1)
    })

    it('deadlines apply even if the fetch ignores the signal', async () => {
      const fetch = (): Promise<Response> => new Promise(() => undefined)
      const options = { fetch, timeouts: { connectMs: 30 }, ...once }
      expect(await failureOf(open('http://a.example', options))).toMatchObject({ deadline: 'connect' })
    })

    it('the total deadline includes the waits between attempts', async () => {
      await using server = await serve(fail(429, { 'retry-after': '20' }))
      expect(await failureOf(open(server.url, { timeouts: { totalMs: 80 } }))).toMatchObject({ deadline: 'total' })
    })

    it('the idle deadline does not count the time of a slow reader', async () => {
      await using server = await serve(response => {
        response.writeHead(200)
        response.end('data: a\n\ndata: b\n\ndata: c\n\ndata: .\n\n')
      })
      const call = { path: 'chat', format: 'sse', createDecoder } as const
      let text = ''
      for await (const event of open(server.url, { timeouts: { idleMs: 80 }, ...once }).stream(call)) {
        if (event.type === 'text.delta') text += event.text
        await new Promise(resolve => setTimeout(resolve, 120))
      }
      expect(text).toBe('abc')
    })

    it('createHttp accepts a complete answer whose connection then falls silent or breaks', async () => {
      await using silent = await serve(hang('data: hi\n\ndata: .\n\n'))
      expect(await collect(open(silent.url, { timeouts: { idleMs: 60 }, ...once }))).toEqual(shown)
      await using torn = await serve(response => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('data: hi\n\ndata: .\n\n', () => setTimeout(() => response.destroy(), 20))
      })
      expect(await collect(open(torn.url, once))).toEqual(shown)
    })

    it('createHttp fails if the answer is incomplete', async () => {
      await using server = await serve(sse('hi'))
      expect(await failureOf(open(server.url, once))).toMatchObject({ code: 'model-stream', detail: 'cut' })
    })
  })

  describe('stopping', () => {
    it('createHttp throws the reason of the signal unchanged and closes the socket', async () => {
      await using server = await serve(hang('data: hi\n\n'))
      const controller = new AbortController()
      const reason = { why: 'user' }
      const stream = open(server.url).stream({ path: 'chat', format: 'sse', createDecoder, signal: controller.signal })
      const reading = (async () => {
        for await (const _ of stream) setTimeout(() => controller.abort(reason), 5)
      })()
      await expect(reading).rejects.toBe(reason)
      await expect.poll(server.open).toBe(0)
    })

    it('createHttp sends no request if the signal is already aborted', async () => {
      await using server = await serve(sse('hi', '.'))
      await expect(collect(open(server.url), AbortSignal.abort('early'))).rejects.toBe('early')
      expect(server.requests).toHaveLength(0)
    })

    it('an abort fails the call at once, even if the fetch ignores the signal', async () => {
      const fetch = (): Promise<Response> => new Promise(() => undefined)
      await expect(collect(open('http://a.example', { fetch }), AbortSignal.timeout(30))).rejects.toMatchObject({
        name: 'TimeoutError',
      })
    })

    it('createHttp closes the socket when the reader leaves', async () => {
      await using server = await serve(hang('data: hi\n\n'))
      const call = { path: 'chat', format: 'sse', createDecoder } as const
      for await (const event of open(server.url).stream(call)) if (event.type === 'text.delta') break
      await expect.poll(server.open).toBe(0)
    })

    it('createHttp leaves no listener on the signal', async () => {
      await using server = await serve(sse('hi', '.'))
      const { signal } = new AbortController()
      let listeners = 0
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...given: Parameters<typeof add>) => (listeners++, add(...given))
      signal.removeEventListener = (...given: Parameters<typeof remove>) => (listeners--, remove(...given))
      await collect(open(server.url), signal)
      expect(listeners).toBe(0)
    })
  })
})
