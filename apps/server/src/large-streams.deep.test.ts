// Deep: its runs have many megabytes.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createAgentClient, type AgentEvent } from '@parley/agent-api'
import { defineTool } from '@parley/core'
import { fakeClock, type Script } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { createTestApp, openTestServer } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { openLargeRunServer, readStream, startLargeRun } from './__fixtures__/read-large-run.ts'
import { ask, eventsOf } from './__fixtures__/sse.ts'

const PROTOCOLS = [
  ['/process', ask('go', { id: 'mine' })],
  ['/v1/responses', { input: 'go', stream: true }],
  ['/v1/chat/completions', { model: 'guide', messages: [{ role: 'user', content: 'go' }], stream: true }],
  ['/ag-ui', { threadId: 't', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }],
  ['/api/chat', { id: 'chat', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] }],
] as const

/** The last event of a completed stream. */
const COMPLETED: Readonly<Record<(typeof PROTOCOLS)[number][0], RegExp>> = {
  '/process': /"object":"response","status":"completed"/,
  '/v1/responses': /^event: response\.completed/,
  '/v1/chat/completions': /^data: \[DONE\]$/,
  '/ag-ui': /"type":"RUN_FINISHED".*"type":"success"/,
  '/api/chat': /^data: \[DONE\]$/,
}

/** The end of a stream that was cut: an error in the convention of the protocol that names the address to resume. */
const CUT: Readonly<Record<(typeof PROTOCOLS)[number][0], RegExp>> = {
  '/process': /"status":"failed","error":\{"code":"STREAM_ENDED","message":"[^"]*\/process\/mine\/events/,
  '/v1/responses': /event: error\ndata: \{"type":"error".*"code":"STREAM_ENDED".*\/v1\/responses\/resp_/,
  '/v1/chat/completions': /data: \{"error":\{"code":"STREAM_ENDED".*\n\ndata: \[DONE\]/,
  '/ag-ui': /data: \{"type":"RUN_ERROR","code":"STREAM_ENDED".*\/process\//,
  '/api/chat': /data: \{"type":"error","errorText":".*\/process\/.*\n\ndata: \[DONE\]/,
}

const big = defineTool({ name: 'big', description: 'Big.', input: { type: 'object' }, execute: () => 'y'.repeat(4e6) })
const large: Script = [{ toolCalls: [{ name: 'big' }] }, { text: 'Long text. '.repeat(3e5), chunkSize: 5_000 }]
/** More than the buffers of a connection hold. */
const HUGE = 'Long text. '.repeat(2e6)
const huge: Script = [{ text: HUGE, chunkSize: 5_000 }]

/** The request with an id of its own, so that it joins no session of another request. */
function withOwnId(body: object, id: string): object {
  const named = ['id', 'threadId'].filter(field => field in body).map(field => [field, id])
  return { ...body, ...Object.fromEntries(named) }
}

function framesOf(text: string): readonly string[] {
  return text.split('\n\n').filter(frame => frame !== '' && !frame.startsWith(':'))
}

/** Sends a request and returns its response before it reads anything of the body. */
function send(url: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST' }, resolve)
    request.once('error', reject).end(JSON.stringify(body))
  })
}

async function textOf(response: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Opens a server, and a stream of `huge` whose reader accepts no data until the server has cut it. */
async function openCutStream(path: string, body: object) {
  const clock = fakeClock()
  const served = await openTestServer({ script: huge, clock, readerTimeoutMs: 60_000, resumeEveryMs: Infinity })
  const response = await send(`${served.url}${path}`, body)
  const completed = () => served.store.runs({ scope: 'default', status: 'completed' })
  await vi.waitFor(async () => expect(await completed()).toHaveLength(1), 30_000)
  await vi.waitFor(async () => {
    await clock.advance(60_000)
    expect(clock.pending).toBe(0)
  }, 600_000)
  return { served, response, runId: (await completed())[0]?.runId ?? '' }
}

describe('a run with large items', () => {
  it.each(PROTOCOLS)('every stream of %s ends with its terminal event', async (path, body) => {
    await using served = await openTestServer({ script: large, agent: { tools: [big] } })
    const text = await textOf(await send(`${served.url}${path}`, body))
    expect(framesOf(text).at(-1)).toMatch(COMPLETED[path])
  })

  it('readers that attach early, late and after the end get the same bytes', async () => {
    await using served = await openTestServer({ script: large, agent: { tools: [big] } })
    const first = await fetch(`${served.url}/process`, {
      method: 'POST',
      body: JSON.stringify(ask('go', { id: 'mine' })),
    })
    const again = async (): Promise<string> => (await fetch(`${served.url}/process/mine/events`)).text()
    const early = again()
    const text = await first.text()
    expect(eventsOf(text).map(event => event.sequence_number)).toEqual(eventsOf(text).map((_, index) => index))
    expect((await early) === text).toBe(true)
    expect((await again()) === text).toBe(true)
  })

  it.each(PROTOCOLS)('a reader of %s that accepts no data is cut and told where to resume', async (path, body) => {
    const { served, response } = await openCutStream(path, body)
    await using _ = served
    const text = await textOf(response)
    expect(text.slice(-2_000)).toMatch(CUT[path])
    expect(framesOf(text).every(frame => /^data: \[DONE\]$/.test(frame) || canParse(frame))).toBe(true)
  })

  it.each(PROTOCOLS)(
    'the ended streams of %s that no reader takes keep a bounded memory: the oldest are cut',
    async (path, body) => {
      const text = 'Long text. '.repeat(1e5)
      const script = Array.from({ length: 5 }, () => ({ text, chunkSize: 5_000 }))
      const { send, store } = createTestApp({ script, limits: { maxKeptChars: 4_000_000 } })
      const unread: Response[] = []
      for (let count = 1; count <= 5; count++) {
        unread.push(await send(path, { json: withOwnId(body, `own-${count}`) }))
        await vi.waitFor(
          async () => expect(await store.runs({ scope: 'default', status: 'completed' })).toHaveLength(count),
          30_000,
        )
      }
      const ends = unread.map(async each => ((await each.text()).includes('The stream ended early') ? 'cut' : 'whole'))
      expect((await Promise.all(ends)).join(' ')).toMatch(/^(cut ){2,3}whole( whole)+$/)
    },
  )

  it('the streams of chats that were read whole do not count for maxKeptChars', async () => {
    const text = 'Long text. '.repeat(1e5)
    const { send } = createTestApp({ script: () => ({ text, chunkSize: 5_000 }), limits: { maxKeptChars: 4_000_000 } })
    const [, , , [path, body]] = PROTOCOLS
    const unread = await send(path, { json: withOwnId(body, 'unread') })
    for (let count = 0; count < 5; count++)
      expect(await (await send(path, { json: withOwnId(body, `read-${count}`) })).text()).toMatch(/RUN_FINISHED/)
    expect(await unread.text()).not.toContain('The stream ended early')
  })

  it.each([{ maxKeptStreams: 1 }, { maxReplayChars: 2_000 }])(
    'events above %j are no longer available, and the whole response is',
    async limits => {
      const { send } = createTestApp({ script: () => ({ text: 'Long text. '.repeat(1e3), chunkSize: 50 }), limits })
      const begin = () => send('/v1/responses', { json: { input: 'go', stream: true } }).then(each => each.text())
      const [, id] = /"id":"(resp_[^"]+)"/.exec(await begin()) ?? []
      await begin()
      const read = (query: string) => send(`/v1/responses/${id}?stream=true${query}`)
      expect(await problemOf(await read('&starting_after=3'))).toBe('400 INVALID_PARAMETER')
      expect(await (await read('')).text()).toContain('response.completed')
    },
  )

  it('a reader of /process that was cut resumes after its last event', async () => {
    const { served, response } = await openCutStream('/process', ask('go', { id: 'mine' }))
    await using _ = served
    const before = eventsOf(await textOf(response)).filter(event => event.sequence_number !== null)
    const last = before.at(-1)?.sequence_number ?? -1
    const after = eventsOf(await (await fetch(`${served.url}/process/mine/events?starting_after=${last}`)).text())
    expect([...before, ...after].map(event => event.sequence_number)).toEqual(
      Array.from({ length: before.length + after.length }, (_each, index) => index),
    )
    expect(after.at(-1)).toMatchObject({ object: 'response', status: 'completed' })
  })

  it('a reader of /v1/responses that was cut resumes after the number in its error', async () => {
    const { served, response, runId } = await openCutStream('/v1/responses', { input: 'go', stream: true })
    await using _ = served
    const text = await textOf(response)
    const after = /"sequence_number":(\d+),"code":"STREAM_ENDED"/.exec(text)?.[1]
    const url = `${served.url}/v1/responses/resp_${runId}?stream=true&starting_after=${after}`
    const rest = framesOf(await (await fetch(url)).text())
    expect(rest[0]).toContain(`"sequence_number":${Number(after) + 1},`)
    expect(rest.at(-1)).toMatch(COMPLETED['/v1/responses'])
  })

  it('our client resumes a stream that the server cut, and returns the whole response', async () => {
    const { served, response } = await openCutStream('/process', ask('go', { id: 'mine' }))
    await using _ = served
    let posts = 0
    const client = createAgentClient({
      baseUrl: served.url,
      reconnectDelayMs: 0,
      fetch: async (url, init) => (posts++ === 0 ? new Response(await textOf(response)) : fetch(url, init)),
    })
    const input = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] }]
    const events: AgentEvent[] = []
    for await (const event of await client.process({ input })) events.push(event)
    expect(posts).toBe(2)
    expect(events.at(-1)).toMatchObject({ status: 'completed', output: [{ content: [{ text: HUGE }] }] })
    expect(events.some(event => event.status === 'failed')).toBe(false)
  })

  it('a server process holds less than four times the payload, whatever its readers do', async () => {
    const run = { outputs: 25, outputChars: 2_000_000, answerChars: 20_000_000, deltaChars: 1_000 }
    await using server = await openLargeRunServer(run)
    const events = async (pauseMs = 0) => readStream(await fetch(`${server.url}/process/mine/events`), pauseMs)
    const first = readStream(await startLargeRun(server.url))
    const attached = [events(), events(10)]
    const streams = await Promise.all([first, first.then(() => events()), ...attached])
    for (const { last } of streams) expect(last).toMatch(COMPLETED['/process'])
    expect(await server.grownBytes()).toBeLessThan(4 * (run.outputs * run.outputChars + run.answerChars))
  }, 600_000)
})

function canParse(frame: string): boolean {
  const line = frame.split('\n').find(each => each.startsWith('data: '))
  try {
    return line !== undefined && typeof JSON.parse(line.slice(6)) === 'object'
  } catch {
    return false
  }
}
