import { gzipSync } from 'node:zlib'
import { ParleyError, type ErrorInfo, type ModelEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { fail, hang, serve, sse } from '../__fixtures__/serve.ts'
import type { AnswerContext, AnswerDecoder } from '../decode/answer-decoder.ts'
import { createHttp, type Http, type HttpOptions } from './create-http.ts'
import { createUndiciFetch } from '../undici/create-undici-fetch.ts'

/** Text is shown, `.` ends the answer, `#` with nothing to follow, `!` is a reported overload, `?` is invisible. */
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

// What holds by one transport holds by the others.
describe.each([
  ['what there is by itself', undefined],
  ['fetch', globalThis.fetch],
  ['undici', createUndiciFetch()],
] as const)('by %s', (_, fetch) => {
  const open = (url: string, options: Partial<HttpOptions> = {}): Http =>
    createHttp({ provider: 'acme', baseUrl: url, fetch, ...options })

  describe('createHttp', () => {
    it('posts the body and gives the events of the answer', async () => {
      await using server = await serve(sse('hi', '.'))
      expect(await collect(open(`${server.url}/?v=1`, { headers: { 'x-a': 'b' } }))).toEqual(shown)
      const [request] = server.requests
      expect(request?.method).toBe('POST')
      expect(request?.url).toBe('/v1/chat?v=1')
      expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'x-a': 'b' })
    })

    it('joins the query of a path with that of the base URL', async () => {
      await using server = await serve(fail(200, {}, '{}'))
      for (const base of [server.url, `${server.url}?v=1`])
        await open(base).json({ method: 'GET', path: 'models?page=2' })
      expect(server.requests.map(({ url }) => url)).toEqual(['/v1/models?page=2', '/v1/models?page=2&v=1'])
    })

    it('recognises a document sent instead of a stream, and a stream sent instead of a document', async () => {
      await using server = await serve(fail(200, {}, ' {"a":1}'), sse('hi', '.'))
      expect(await collect(open(server.url))).toEqual([{ type: 'text.delta', text: '{"a":1}' }, shown[1]])
      const events: ModelEvent[] = []
      const call = { path: 'chat', format: 'json', createDecoder } as const
      for await (const event of open(server.url).stream(call)) events.push(event)
      expect(events).toEqual(shown)
    })

    it('writes the body once for all tries, and fails the stream when that throws', async () => {
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

    it('tells of a redirect instead of following it with the key', async () => {
      await using server = await serve(fail(307, { location: 'http://other.example/' }, ''))
      const error = await failureOf(open(server.url))
      expect(error).toMatchObject({ code: 'model-invalid-request', status: 307 })
      expect(error).toHaveProperty('detail', expect.stringContaining('redirects to http://other.example/'))
    })

    it('reads a compressed answer', async () => {
      const compressed = gzipSync('data: hi\n\ndata: .\n\n')
      await using server = await serve(response => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        for (const byte of compressed) response.write(Uint8Array.of(byte))
        response.end()
      })
      expect(await collect(open(server.url))).toEqual(shown)
    })

    it('loses nothing of a long answer whose reader is slow', async () => {
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

    it('fetches a document', async () => {
      await using server = await serve(fail(200, {}, '{"data":[]}'))
      expect(await open(server.url).json({ method: 'GET', path: 'models' })).toEqual({ data: [] })
      expect(server.requests[0]?.method).toBe('GET')
    })

    it('uses a connection again after an answer whose end nobody waited for', async () => {
      await using server = await serve(response => {
        response.writeHead(200)
        response.write('data: hi\n\ndata: #\n\n')
        setTimeout(() => response.end(), 5)
      })
      const http = open(server.url)
      for (let call = 0; call < 6; call++) {
        expect(await collect(http)).toEqual(shown)
        await new Promise(resolve => setTimeout(resolve, 15))
      }
      expect(server.connections()).toBeLessThan(3)
    })

    it('refuses a base URL that is none or holds a password, and a header that cannot be sent, without quoting it', () => {
      expect(() => open('localhost')).toThrow(/no URL/)
      expect(() => open('http://user:planted-key@localhost')).toThrow(/header/)
      const headers = { authorization: 'Bearer planted-key\n!' }
      expect(() => open('http://localhost', { headers })).toThrow(expect.objectContaining({ code: 'config-invalid' }))
      expect(() => open('http://localhost', { headers })).not.toThrow(/planted-key/)
    })
  })

  describe('retries', () => {
    it('tries again after a failure that may pass, announcing each wait', async () => {
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

    it('gives up after the last try', async () => {
      await using server = await serve(fail(503))
      expect(await failureOf(open(server.url, instant))).toMatchObject({ code: 'model-overloaded', detail: 'No.' })
      expect(server.requests).toHaveLength(3)
    })

    it.each([400, 401, 403, 404, 413])('does not repeat a request refused with %d', async status => {
      await using server = await serve(fail(status))
      await failureOf(open(server.url, instant))
      expect(server.requests).toHaveLength(1)
    })

    it('lets the server decide by x-should-retry', async () => {
      await using server = await serve(fail(500, { 'x-should-retry': 'false' }))
      await failureOf(open(server.url, instant))
      expect(server.requests).toHaveLength(1)
      await using other = await serve(fail(400, { 'x-should-retry': 'true' }), sse('hi', '.'))
      expect(await collect(open(other.url, instant))).toHaveLength(3)
    })

    it('does not ask again for what no try can change, whatever the server says', async () => {
      const code = '{"error":{"message":"You ran out.","code":"insufficient_quota"}}'
      await using server = await serve(fail(429, { 'x-should-retry': 'true' }, code))
      expect(await failureOf(open(server.url, instant))).toMatchObject({ code: 'model-quota' })
      expect(server.requests).toHaveLength(1)
    })

    it('does not wait longer than allowed, and says how long it would have been', async () => {
      await using server = await serve(fail(429, { 'retry-after': '61' }))
      expect(await failureOf(open(server.url, instant))).toMatchObject({ retryAfterMs: 61_000 })
      expect(server.requests).toHaveLength(1)
    })

    it('tries again when a stream fails before anything was shown', async () => {
      await using server = await serve(sse('?', '!'), sse('?'), sse('hi', '.'))
      const events = await collect(open(server.url, instant))
      expect(events.map(event => event.type)).toEqual(['retry', 'retry', 'text.delta', 'finish'])
    })

    it('never repeats what was shown', async () => {
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

    it('never repeats what will be kept of the answer, be it a lone signature', async () => {
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

    it('tries again when the connection is lost', async () => {
      await using server = await serve(response => void response.socket?.destroy(), sse('hi', '.'))
      const [first] = await collect(open(server.url, instant))
      expect(first).toMatchObject({ type: 'retry', error: { code: 'model-network' } })
    })

    it('stops waiting at once when it is aborted, and makes no further request', async () => {
      await using server = await serve(fail(429, { 'retry-after': '30' }))
      const controller = new AbortController()
      setTimeout(() => controller.abort('enough'), 50)
      await expect(collect(open(server.url), controller.signal)).rejects.toBe('enough')
      expect(server.requests).toHaveLength(1)
    })

    it('makes no further request when a sleep overlooks the abort', async () => {
      await using server = await serve(fail(500))
      const controller = new AbortController()
      const sleep = async (): Promise<void> => controller.abort('enough')
      await expect(collect(open(server.url, { sleep }), controller.signal)).rejects.toBe('enough')
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(server.requests).toHaveLength(1)
    })
  })

  describe('deadlines', () => {
    const once = { retry: { maxRetries: 0 } }

    it.each([
      ['connect', { connectMs: 60 }, (): void => undefined],
      ['first-byte', { firstByteMs: 60 }, hang()],
      ['idle', { idleMs: 60 }, hang('data: hi\n\n')],
      ['total', { totalMs: 60 }, hang('data: hi\n\n')],
    ] as const)('names the %s deadline and releases the socket', async (deadline, timeouts, handler) => {
      await using server = await serve(handler)
      expect(await failureOf(open(server.url, { timeouts, ...once }))).toMatchObject({
        code: 'model-timeout',
        deadline,
        ms: 60,
        provider: 'acme',
        model: 'acme-1',
      })
      await expect.poll(() => server.requests[0]?.socket.destroyed).toBe(true)
    })

    it('tries again when nothing came, but not when the answer had begun', async () => {
      const timeouts = { connectMs: 60, idleMs: 60 }
      await using silent = await serve(() => undefined, sse('hi', '.'))
      expect(await collect(open(silent.url, { timeouts, ...instant }))).toHaveLength(3)
      await using stuck = await serve(hang('data: ?\n\n'))
      await failureOf(open(stuck.url, { timeouts, ...instant }))
      expect(stuck.requests).toHaveLength(1)
    })

    it('hold also when the fetch in use ignores the signal', async () => {
      const fetch = (): Promise<Response> => new Promise(() => undefined)
      const options = { fetch, timeouts: { connectMs: 30 }, ...once }
      expect(await failureOf(open('http://a.example', options))).toMatchObject({ deadline: 'connect' })
    })

    it('counts the waits between tries into the total', async () => {
      await using server = await serve(fail(429, { 'retry-after': '20' }))
      expect(await failureOf(open(server.url, { timeouts: { totalMs: 80 } }))).toMatchObject({ deadline: 'total' })
    })

    it('does not blame the server for a slow reader', async () => {
      await using server = await serve(response => {
        response.writeHead(200)
        response.write('data: a\n\n')
        setTimeout(() => response.write('data: b\n\ndata: c\n\n'), 20)
        setTimeout(() => response.end('data: .\n\n'), 40)
      })
      const call = { path: 'chat', format: 'sse', createDecoder } as const
      let text = ''
      for await (const event of open(server.url, { timeouts: { idleMs: 80 }, ...once }).stream(call)) {
        if (event.type === 'text.delta') text += event.text
        await new Promise(resolve => setTimeout(resolve, 120))
      }
      expect(text).toBe('abc')
    })

    it('takes an answer for whole when its connection falls silent or breaks after its end', async () => {
      await using silent = await serve(hang('data: hi\n\ndata: .\n\n'))
      expect(await collect(open(silent.url, { timeouts: { idleMs: 60 }, ...once }))).toEqual(shown)
      await using torn = await serve(response => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('data: hi\n\ndata: .\n\n', () => setTimeout(() => response.destroy(), 20))
      })
      expect(await collect(open(torn.url, once))).toEqual(shown)
    })

    it('never takes a cut answer for a short one', async () => {
      await using server = await serve(sse('hi'))
      expect(await failureOf(open(server.url, once))).toMatchObject({ code: 'model-stream', detail: 'cut' })
    })
  })

  describe('stopping', () => {
    it('throws the reason of the signal untouched and releases the socket', async () => {
      await using server = await serve(hang('data: hi\n\n'))
      const controller = new AbortController()
      const reason = { why: 'user' }
      setTimeout(() => controller.abort(reason), 50)
      await expect(collect(open(server.url), controller.signal)).rejects.toBe(reason)
      await expect.poll(() => server.requests[0]?.socket.destroyed).toBe(true)
    })

    it('asks nothing when the signal was aborted before', async () => {
      await using server = await serve(sse('hi', '.'))
      await expect(collect(open(server.url), AbortSignal.abort('early'))).rejects.toBe('early')
      expect(server.requests).toHaveLength(0)
    })

    it('throws at once even when the fetch in use ignores the signal', async () => {
      const fetch = (): Promise<Response> => new Promise(() => undefined)
      await expect(collect(open('http://a.example', { fetch }), AbortSignal.timeout(30))).rejects.toMatchObject({
        name: 'TimeoutError',
      })
    })

    it('releases the socket when the reader leaves', async () => {
      await using server = await serve(hang('data: hi\n\n'))
      const call = { path: 'chat', format: 'sse', createDecoder } as const
      for await (const event of open(server.url).stream(call)) if (event.type === 'text.delta') break
      await expect.poll(() => server.requests[0]?.socket.destroyed).toBe(true)
    })

    it('leaves no listener on the signal', async () => {
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
