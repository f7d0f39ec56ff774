import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import {
  createAgentClient,
  encodeSse,
  generateStreamingResponse,
  responseText,
  type AgentClientOptions,
} from '../index.ts'

const events = [...generateStreamingResponse(['Hel', 'lo'], { responseId: 'r 1', now: () => 1000 })]
const frames = events.map(encodeSse)
const request = { input: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }] }

/** A body of these frames that then ends or breaks. */
function body(parts: readonly string[], end: 'ends' | 'breaks' = 'ends'): ReadableStream<Uint8Array> {
  const left = parts.map(part => new TextEncoder().encode(part))
  return new ReadableStream({
    pull(controller) {
      const next = left.shift()
      if (next !== undefined) controller.enqueue(next)
      else if (end === 'ends') controller.close()
      else controller.error(new TypeError('terminated'))
    },
  })
}

const sse = (stream: ReadableStream<Uint8Array>) =>
  new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
const problem = (status: number, code: string) => Response.json({ error: { code, message: 'Not now.' } }, { status })

/** A client whose requests get these answers in order. */
function setUp(answers: readonly (Response | Error)[], options: Partial<AgentClientOptions> = {}) {
  const asked: { url: string; init: RequestInit }[] = []
  const left = [...answers]
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push({ url: url as string, init: init ?? {} })
    const answer = left.shift()
    if (answer instanceof Response) return answer
    throw answer ?? new TypeError('fetch failed')
  }
  const client = createAgentClient({ baseUrl: 'http://a.b/', fetch, reconnectDelayMs: 0, ...options })
  return { client, asked }
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => (ParleyError.is(error) ? error.info : error),
  )
}

describe('an agent client', () => {
  it('process sends a request and reads its stream', async () => {
    const { client, asked } = setUp([sse(body(frames))], { headers: () => ({ authorization: 'Bearer k' }) })
    const stream = await client.process(request)
    const seen = []
    for await (const event of stream) seen.push(event)
    expect(seen).toEqual(events)
    expect(asked[0]?.url).toBe('http://a.b/process')
    expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer k', 'content-type': 'application/json' })
    expect(JSON.parse(asked[0]?.init.body as string)).toEqual({ ...request, stream: true })
  })

  it.each(['ends', 'breaks'] as const)(
    'the client resumes the stream after the last event when the connection %s too early',
    async end => {
      const { client, asked } = setUp([
        sse(body(frames.slice(0, 4), end)),
        new TypeError('fetch failed'),
        problem(503, 'BUSY'),
        sse(body(frames.slice(4))),
      ])
      const seen = []
      for await (const event of await client.process(request)) seen.push(event)
      expect(seen).toEqual(events)
      expect(asked.slice(1).map(({ url }) => url)).toEqual(
        Array.from({ length: 3 }, () => 'http://a.b/process/r%201/events?starting_after=3'),
      )
      expect(asked.at(-1)?.init.headers).toMatchObject({ 'last-event-id': '3' })
    },
  )

  it('the client follows a server that restarts the stream', async () => {
    const { client } = setUp([sse(body(frames.slice(0, 4), 'breaks')), sse(body(frames))])
    const response = await (await client.process(request)).response()
    expect(response).toEqual(events.at(-1))
  })

  it('a stream that cannot be resumed ends as failed with the text so far', async () => {
    const { client, asked } = setUp([sse(body(frames.slice(0, 4))), problem(404, 'RESOURCE_NOT_FOUND')])
    const response = await (await client.process(request)).response()
    expect(response).toMatchObject({ status: 'failed', error: { code: 'STREAM_ENDED' } })
    expect(responseText(response)).toBe('Hel')
    expect(asked).toHaveLength(2)
  })

  it('the client stops reconnecting after maxReconnects attempts', async () => {
    const { client, asked } = setUp([sse(body(frames.slice(0, 4)))], { maxReconnects: 2 })
    expect(await (await client.process(request)).response()).toMatchObject({ status: 'failed' })
    expect(asked).toHaveLength(3)
  })

  it('the client resets the attempt count when a connection brought an event', async () => {
    const pieces = [frames.slice(0, 3), frames.slice(3, 4), frames.slice(4, 5), frames.slice(5)]
    const { client } = setUp(
      pieces.map(piece => sse(body(piece))),
      { maxReconnects: 1 },
    )
    expect(await (await client.process(request)).response()).toEqual(events.at(-1))
  })

  it('a refused request rejects with status and code', async () => {
    const { client } = setUp([problem(409, 'SESSION_BUSY')])
    expect(await failure(client.process(request))).toEqual({
      code: 'agent-request-failed',
      url: 'http://a.b/process',
      status: 409,
      remoteCode: 'SESSION_BUSY',
      detail: 'Not now.',
    })
  })

  it.each([
    [new Response('<h1>Bad gateway</h1>', { status: 502 }), { status: 502, detail: '<h1>Bad gateway</h1>' }],
    [Response.json({ error: 'busy' }, { status: 409 }), { status: 409, detail: 'busy' }],
    [Response.json({ detail: [{ msg: 'no' }] }, { status: 422 }), { status: 422, detail: '[{"msg":"no"}]' }],
    [new TypeError('fetch failed'), { detail: 'fetch failed' }],
  ])('the client reads other refusals: %#', async (answer, info) => {
    expect(await failure(setUp([answer]).client.process(request))).toMatchObject(info)
  })

  it('ask gets a whole response, and accepts a stream instead', async () => {
    const { client, asked } = setUp([Response.json(events.at(-1)), sse(body(frames))])
    expect(await client.ask(request)).toEqual(events.at(-1))
    expect(await client.ask(request)).toEqual(events.at(-1))
    expect(JSON.parse(asked[0]?.init.body as string)).toMatchObject({ stream: false })
  })

  it('resume reads an earlier response, and cancel stops one', async () => {
    const { client, asked } = setUp([sse(body(frames.slice(5))), sse(body(frames)), Response.json({})])
    const seen = []
    for await (const event of await client.resume('r 1', { startingAfter: 4 })) seen.push(event)
    expect(seen).toEqual(events.slice(5))
    await (await client.resume('r 1')).response()
    await client.cancel('r 1')
    expect(asked.map(({ url, init }) => [init.method ?? 'GET', url])).toEqual([
      ['GET', 'http://a.b/process/r%201/events?starting_after=4'],
      ['GET', 'http://a.b/process/r%201/events'],
      ['POST', 'http://a.b/process/r%201/cancel'],
    ])
  })

  it('aborting stops the client from reconnecting', async () => {
    const stop = new AbortController()
    const { client, asked } = setUp([sse(body(frames.slice(0, 4)))], { reconnectDelayMs: 60_000 })
    const stream = await client.process(request, { signal: stop.signal })
    const response = stream.response()
    setImmediate(() => stop.abort(new Error('enough')))
    expect(await response).toMatchObject({ status: 'failed', error: { message: 'enough' } })
    expect(asked).toHaveLength(1)
  })
})
