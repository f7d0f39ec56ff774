import { createStreamChecker } from '@parley/agent-api/check'
import { readAgentStream } from '@parley/agent-api'
import { createDemoModel } from '@parley/demo-model'
import { defineAgent } from '@parley/engine'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer } from './__fixtures__/open-test-server.ts'
import { ask } from './__fixtures__/sse.ts'
import { talk } from './__fixtures__/talk.ts'
import { hashApiKey } from './access/api-key.ts'

const agents = [defineAgent({ name: 'demo', model: createDemoModel() })]
const KEY_A = 'a-long-enough-key-of-a'
const KEY_B = 'a-long-enough-key-of-b'
const keys = [KEY_A, KEY_B].map((key, index) => ({ name: `key-${index}`, hash: hashApiKey(key) }))
const PATHS = ['/process', '/v1/responses', '/v1/chat/completions', '/ag-ui', '/api/chat'] as const

type Served = Awaited<ReturnType<typeof openTestServer>>

let served: Served
/** A server with short timeouts. */
let impatient: Served

beforeAll(async () => {
  const options = { agents, keys, limits: { maxBodyBytes: 100_000 } }
  served = await openTestServer(options)
  impatient = await openTestServer({ ...options, headersTimeoutMs: 100, requestTimeoutMs: 200 })
})
afterAll(() => Promise.all([served[Symbol.asyncDispose](), impatient[Symbol.asyncDispose]()]))

interface RawRequest {
  readonly path: string
  readonly body: string | Uint8Array
  readonly key?: string
  readonly method?: string
  /** How the request declares its length: correctly, chunked, or wrong by this many bytes. */
  readonly length?: 'right' | 'chunked' | number
  /** @default served */
  readonly to?: Served
}

/** Sends one request byte for byte. Returns the status, the head and the body of the response. */
async function sendRaw({ path, body, key = KEY_A, method = 'POST', length = 'right', to = served }: RawRequest) {
  const bytes = Buffer.from(body)
  const lengthHeader =
    length === 'chunked'
      ? 'transfer-encoding: chunked'
      : `content-length: ${Math.max(0, bytes.length + (length === 'right' ? 0 : length))}`
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n${lengthHeader}\r\n\r\n`
  const answer = await talk(to.server.port, socket => {
    socket.write(head)
    if (length !== 'chunked') socket.write(bytes)
    else if (bytes.length > 0)
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]),
      )
    else socket.write('0\r\n\r\n')
  })
  const end = answer.indexOf('\r\n\r\n')
  return { status: Number(answer.slice(9, 12)), head: answer.slice(0, end), text: answer.slice(end + 4) }
}

/** Decodes a chunked body. */
function unchunked(text: string): string {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, line).toString(), 16)
    if (!(size > 0)) break
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  return Buffer.concat(pieces).toString()
}

const isRefused = (status: number): boolean => status >= 400 && status < 500
const path = fc.constantFrom(...PATHS)
const length = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('right' as const, 'chunked' as const) },
  { weight: 1, arbitrary: fc.integer({ min: -20, max: 20 }) },
)
const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.json(),
  fc
    .record({ input: fc.jsonValue(), messages: fc.jsonValue(), model: fc.jsonValue(), stream: fc.jsonValue() })
    .map(value => JSON.stringify(value)),
  fc.string({ unit: 'grapheme' }).map(text => JSON.stringify(ask(text))),
)

describe('over a real connection', () => {
  it('any body, whatever its declared length, gets a 4xx or a valid stream, and the connection closes', async () => {
    await fc.assert(
      fc.asyncProperty(path, body, length, async (address, bytes, declared) => {
        const { status, head, text } = await sendRaw({ path: address, body: bytes, length: declared, to: impatient })
        // A body that is shorter than declared times out with a 4xx.
        expect(status === 200 || isRefused(status)).toBe(true)
        if (status !== 200 || address !== '/process' || !head.includes('event-stream')) return
        const observer = createStreamChecker()
        await readAgentStream([unchunked(text)], { observer }).response()
        expect(observer.violations).toEqual([])
      }),
      { numRuns: 120 },
    )
    expect((await fetch(`${impatient.url}/health`)).status).toBe(200)
  })

  it('any bytes instead of a request leave the server working', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.boolean(), async (bytes, asks) => {
        const start = asks ? 'POST /process HTTP/1.1\r\n' : ''
        const answer = await talk(
          impatient.server.port,
          socket => void socket.end(Buffer.concat([Buffer.from(start), bytes])),
        )
        expect(answer).toMatch(/^$|^HTTP\/1\.1 4/)
      }),
      { numRuns: 60 },
    )
    expect((await fetch(`${impatient.url}/health`)).status).toBe(200)
  })

  it('the server answers 408 to a body that arrives too slowly', async () => {
    const text = JSON.stringify(ask())
    const head = `POST /process HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY_A}\r\ncontent-length: ${text.length}\r\n\r\n`
    let timer: NodeJS.Timeout | undefined
    const answer = await talk(impatient.server.port, socket => {
      socket.write(head)
      let sent = 0
      timer = setInterval(() => socket.write(text[sent++] ?? ' '), 20)
    })
    clearInterval(timer)
    expect(answer).toMatch(/^HTTP\/1\.1 408/)
  })

  it.each([
    ['very deep JSON', 400, `{"input":${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
    ['a body that is too large', 413, JSON.stringify(ask('x'.repeat(200_000)))],
    ['a __proto__ key', 400, '{"__proto__":{"input":[]},"constructor":1}'],
    ['numbers instead of strings', 400, '{"input":1,"messages":2,"model":3,"threadId":4,"id":5}'],
    ['an array instead of an object', 400, '[1,2,3]'],
    ['a bare string', 400, '"hello"'],
    ['an empty body', 400, ''],
    ['incomplete JSON', 400, '{"input":[{"role":"us'],
    ['invalid UTF-8', 400, new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
  ])('every route rejects %s', async (_, expected, text) => {
    for (const to of PATHS) {
      const { status, text: answer } = await sendRaw({ path: to, body: text })
      expect([to, status]).toEqual([to, expected])
      expect(answer).toContain('"error":{"code":')
    }
  })

  it('a client receives 404 for the ids of another scope', async () => {
    const begun = await sendRaw({
      path: '/process',
      body: JSON.stringify(ask('go', { session_id: 'talk', id: 'mine', stream: false })),
    })
    expect(begun.status).toBe(200)
    const [record] = await served.store.runs({ scope: 'key-0' })
    const response = `/v1/responses/resp_${record?.runId}`
    const gets = [
      '/sessions/talk',
      '/process/mine',
      '/process/mine/events',
      '/process/mine/approvals',
      response,
      `${response}/input_items`,
    ]
    const posts = ['/process/mine/cancel', '/process/mine/approvals/any', `${response}/cancel`]
    const requests = [
      ...gets.map(to => ({ method: 'GET', path: to, body: '' })),
      ...posts.map(to => ({ method: 'POST', path: to, body: '{"approve":true}' })),
      { method: 'DELETE', path: response, body: '' },
    ]
    for (const request of requests)
      expect([request.path, (await sendRaw({ ...request, key: KEY_B })).status]).toEqual([request.path, 404])
    for (const request of requests.slice(0, gets.length)) expect((await sendRaw(request)).status).toBe(200)
    // Each scope has its own session of this name.
    const own = await sendRaw({ path: '/process', key: KEY_B, body: JSON.stringify(ask('go', { session_id: 'talk' })) })
    expect(own.status).toBe(200)
    expect(await served.store.runs({ scope: 'key-0', sessionId: 'talk' })).toHaveLength(1)
  })
})
