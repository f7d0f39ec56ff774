import { ParleyError } from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import {
  createAgentClient,
  encodeSse,
  generateStreamingResponse,
  responseText,
  streamEndedEvent,
  type AgentClient,
  type AgentClientOptions,
  type AgentResponse,
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

  it('the client resumes a stream that the server cut, and does not show the event that says so', async () => {
    const cut = streamEndedEvent(events[0] as AgentResponse, 'The stream ended early.')
    const { client, asked } = setUp([sse(body([...frames.slice(0, 4), encodeSse(cut)])), sse(body(frames.slice(4)))])
    const seen = []
    for await (const event of await client.process(request)) seen.push(event)
    expect(seen).toEqual(events)
    expect(asked[1]?.url).toBe('http://a.b/process/r%201/events?starting_after=3')
  })

  it('a stream that the server cuts each time ends as failed with the reason', async () => {
    const cut = encodeSse(streamEndedEvent(events[0] as AgentResponse, 'The stream ended early.'))
    const { client } = setUp([sse(body([...frames.slice(0, 4), cut])), sse(body([cut]))], { maxReconnects: 1 })
    const response = await (await client.process(request)).response()
    expect(response).toMatchObject({
      status: 'failed',
      error: { code: 'STREAM_ENDED', message: 'The stream ended early.' },
    })
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

  it.each([
    ['process', async (client: AgentClient) => (await client.process(request)).response()],
    ['ask', (client: AgentClient) => client.ask(request)],
  ])('%s sends a request again after refusals that are likely to pass, before the stream starts', async (_, send) => {
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const { client, asked } = setUp(
      [problem(503, 'BUSY'), new TypeError('fetch failed', { cause: gone }), sse(body(frames))],
      { retry: { initialDelayMs: 0 } },
    )
    expect(await send(client)).toEqual(events.at(-1))
    expect(asked.map(({ init }) => init.body)).toEqual([asked[0]?.init.body, asked[0]?.init.body, asked[0]?.init.body])
  })

  it('process stops after maxRetries repetitions and fails with the last refusal', async () => {
    const refusals = Array.from({ length: 5 }, () => problem(429, 'RATE_LIMITED'))
    const { client, asked } = setUp(refusals, { retry: { maxRetries: 3, initialDelayMs: 0 } })
    expect(await failure(client.process(request))).toMatchObject({ status: 429, remoteCode: 'RATE_LIMITED' })
    expect(asked).toHaveLength(4)
  })

  it('process waits as long as Retry-After says, and fails at once if that is longer than maxWaitMs', async () => {
    vi.useFakeTimers()
    try {
      const after = (seconds: string) => Response.json({}, { status: 503, headers: { 'retry-after': seconds } })
      const { client, asked } = setUp([after('30'), sse(body(frames))], { retry: { maxWaitMs: 40_000 } })
      const stream = client.process(request)
      await vi.advanceTimersByTimeAsync(29_000)
      expect(asked).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1_000)
      await stream
      expect(asked).toHaveLength(2)
      const late = setUp([after('41')], { retry: { maxWaitMs: 40_000 } })
      expect(await failure(late.client.process(request))).toMatchObject({ status: 503, retryAfterMs: 41_000 })
      expect(late.asked).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['the connection broke after the request', new TypeError('fetch failed')],
    ['the server failed without a wish', problem(500, 'INTERNAL')],
    ['the request is invalid', problem(400, 'INVALID_PARAMETER')],
  ])('process does not repeat a request that may have started a run: %s', async (_, answer) => {
    const { client, asked } = setUp([answer, sse(body(frames))], { retry: { initialDelayMs: 0 } })
    expect(await failure(client.process(request))).toMatchObject({ code: 'agent-request-failed' })
    expect(asked).toHaveLength(1)
  })

  it('resume and cancel repeat their requests after every failure of the server', async () => {
    const { client, asked } = setUp(
      [
        problem(500, 'INTERNAL'),
        new TypeError('fetch failed'),
        sse(body(frames)),
        problem(502, 'GATEWAY'),
        Response.json({}),
      ],
      { retry: { initialDelayMs: 0 } },
    )
    expect(await (await client.resume('r 1')).response()).toEqual(events.at(-1))
    await client.cancel('r 1')
    expect(asked).toHaveLength(5)
  })

  it('aborting ends the wait before a repetition with the reason of the signal', async () => {
    const stop = new AbortController()
    const { client, asked } = setUp([problem(503, 'BUSY')], { retry: { initialDelayMs: 60_000 } })
    const stream = failure(client.process(request, { signal: stop.signal }))
    setImmediate(() => stop.abort(new Error('enough')))
    expect(await stream).toMatchObject({ message: 'enough' })
    expect(asked).toHaveLength(1)
  })

  it('createAgentClient rejects an invalid retry policy', () => {
    expect(() => setUp([], { retry: { maxRetries: -1 } })).toThrow('retry.maxRetries')
  })

  it('the client fails if a line of the stream never ends, and reads no more of it', async () => {
    let pieces = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1
        controller.enqueue(new TextEncoder().encode(pieces === 1 ? (frames[0] ?? '') : 'a'.repeat(1_048_576)))
      },
    })
    const { client, asked } = setUp([sse(endless)])
    const response = await (await client.process(request)).response()
    expect(response).toMatchObject({ status: 'failed', error: { code: 'STREAM_ENDED' } })
    expect(response.error?.message).toContain('a line of more than')
    expect(pieces).toBeLessThan(40)
    expect(asked).toHaveLength(1)
  })

  it.each([200, 400])('ask limits a response that never ends (status %i)', async status => {
    let pieces = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1
        controller.enqueue(new Uint8Array(1_048_576).fill(32))
      },
    })
    const headers = { 'content-type': 'application/json' }
    const { client } = setUp([new Response(endless, { status, headers })])
    expect(await failure(client.ask(request))).toMatchObject({ code: 'agent-request-failed', status })
    expect(pieces).toBeLessThan(70)
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

  it('approvals lists the pending calls of a response, and decide sends a decision and reads the stream', async () => {
    const approval = { approvalId: 'a 1', callId: 'c', name: 'pay', input: { n: 7 }, prompt: 'Pay 7?' }
    const { client, asked } = setUp([Response.json({ object: 'list', data: [approval] }), sse(body(frames))])
    expect(await client.approvals('r 1')).toEqual([approval])
    const decision = { approve: false, reason: 'Too much.' } as const
    expect(await (await client.decide('r 1', 'a 1', { decision })).response()).toEqual(events.at(-1))
    expect(asked.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      [undefined, 'http://a.b/process/r%201/approvals', undefined],
      ['POST', 'http://a.b/process/r%201/approvals/a%201', JSON.stringify({ ...decision, stream: true })],
    ])
  })

  it('sessions lists the sessions, and session returns the messages of one', async () => {
    const session = { id: 's 1', agent: 'clerk', status: 'completed', runs: 1, created_at: 1, updated_at: 2 }
    const said = { type: 'message', role: 'user', content: [{ type: 'text', text: 'Hi' }] }
    const history = [{ id: 'r', status: 'completed', input: [said], output: [] }]
    const { client, asked } = setUp([Response.json({ data: [session] }), Response.json({ ...session, history })])
    expect(await client.sessions()).toEqual([session])
    expect(await client.session('s 1')).toEqual({ ...session, history })
    expect(asked.map(({ url }) => url)).toEqual(['http://a.b/sessions', 'http://a.b/sessions/s%201'])
  })

  it('sessions fails and names the field if a server answers with another shape', async () => {
    const { client } = setUp([Response.json({ data: [{ id: 7 }] })])
    expect(await failure(client.sessions())).toMatchObject({
      code: 'agent-request-failed',
      url: 'http://a.b/sessions',
      detail: expect.stringContaining('data.0.id'),
    })
  })
})
