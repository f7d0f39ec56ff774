import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createRunsClient, type StreamState } from '../index.ts'

/** A stream of server-sent events in these pieces. */
function streamOf(pieces: readonly string[], end: 'ends' | 'breaks' = 'ends'): Response {
  const left = pieces.map(piece => new TextEncoder().encode(piece))
  return new Response(
    new ReadableStream({
      pull(controller) {
        const next = left.shift()
        if (next !== undefined) controller.enqueue(next)
        else if (end === 'ends') controller.close()
        else controller.error(new TypeError('terminated'))
      },
    }),
  )
}

const entry = (seq: number): string => `id: ${seq}\ndata: ${JSON.stringify({ type: 'run.resumed', seq })}\n\n`
const delta = (text: string): string => `data: ${JSON.stringify({ type: 'text.delta', text, seq: 2 })}\n\n`
const END = 'event: end\ndata: {}\n\n'

/** A client whose requests get these answers in order. */
function setUp(...answers: readonly (Response | Error)[]) {
  const asked: { url: string; init: RequestInit }[] = []
  const left = [...answers]
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push({ url: url as string, init: init ?? {} })
    const answer = left.shift()
    if (answer instanceof Response) return answer
    throw answer ?? new TypeError('fetch failed')
  }
  return { asked, client: createRunsClient({ baseUrl: 'http://a.b/', key: 'k', fetch, reconnectDelayMs: 0 }) }
}

async function seqsOf(events: AsyncIterable<{ readonly seq: number; readonly type: string }>): Promise<string[]> {
  const seen: string[] = []
  for await (const { seq, type } of events) seen.push(`${seq} ${type}`)
  return seen
}

describe('createRunsClient', () => {
  it('a query becomes query parameters and the key a bearer token', async () => {
    const { client, asked } = setUp(Response.json({ runs: [] }))
    expect(await client.runs({ status: 'failed', text: 'a b', roots: true, after: undefined })).toEqual({ runs: [] })
    expect(asked[0]?.url).toBe('http://a.b/runs?status=failed&text=a+b&roots=true')
    expect(asked[0]?.init.headers).toEqual({ authorization: 'Bearer k' })
  })

  it('ids with special characters stay one part of the path', async () => {
    const { client, asked } = setUp(Response.json({}), Response.json({}))
    await client.fork('a/b?c', { at: 3 })
    await client.recordOutcome({ runId: 'r', callId: '../x' }, { tookEffect: true, note: '' })
    expect(asked.map(({ url }) => url)).toEqual(['http://a.b/runs/a%2Fb%3Fc/fork', 'http://a.b/unknown-calls/r/..%2Fx'])
    expect(asked[0]?.init).toMatchObject({ method: 'POST', body: '{"at":3}' })
  })

  it('a refusal rejects with its status, its code and its sentence', async () => {
    const problem = { error: { code: 'RESOURCE_NOT_FOUND', message: 'Unknown run.' } }
    const { client } = setUp(Response.json(problem, { status: 404 }), new Response('<h1>Bad</h1>', { status: 502 }))
    const fault = await client.run('r').catch((error: unknown) => error)
    expect(ParleyError.is(fault, 'agent-request-failed') && fault.info).toMatchObject({
      status: 404,
      remoteCode: 'RESOURCE_NOT_FOUND',
      detail: 'Unknown run.',
    })
    await expect(client.run('r')).rejects.toMatchObject({ info: { status: 502, detail: '<h1>Bad</h1>' } })
    await expect(client.run('r')).rejects.toMatchObject({ info: { detail: 'fetch failed' } })
  })
})

describe('a stream of events', () => {
  it('the stream resumes after its last entry and repeats no entry', async () => {
    const { client, asked } = setUp(
      streamOf([entry(1), entry(2).slice(0, 9), entry(2).slice(9) + delta('x')], 'breaks'),
      new Response('', { status: 503 }),
      new TypeError('fetch failed'),
      streamOf([entry(2), entry(3), ': keep-alive\n\n', END]),
    )
    const states: StreamState[] = []
    const seen = await seqsOf(client.events('r', { onState: state => states.push(state) }))
    expect(seen).toEqual(['1 run.resumed', '2 run.resumed', '2 text.delta', '3 run.resumed'])
    expect(asked.map(({ url }) => url.split('?')[1])).toEqual(['after=0', 'after=2', 'after=2', 'after=2'])
    const retry = ['waiting', 'connecting']
    expect(states).toEqual(['connecting', 'open', ...retry, ...retry, ...retry, 'open'])
  })

  it('the stream fails if the server refuses it', async () => {
    const { client, asked } = setUp(new Response('', { status: 404 }))
    await expect(seqsOf(client.events('r'))).rejects.toMatchObject({ info: { status: 404 } })
    expect(asked).toHaveLength(1)
  })

  it('an aborted stream ends without an error and asks no more', async () => {
    const abort = new AbortController()
    const { client, asked } = setUp(streamOf([entry(1)]), streamOf([entry(2), END]))
    const seen: number[] = []
    for await (const { seq } of client.events('r', {
      signal: abort.signal,
      onState: s => s === 'waiting' && abort.abort(),
    }))
      seen.push(seq)
    expect([seen, asked.length]).toEqual([[1], 1])
  })
})
