import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ParleyError, type Store } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, type Script } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { compose, createTestApp, openTestServer } from './__fixtures__/open-test-server.ts'
import { manyDeltas } from './__fixtures__/many-deltas.ts'
import { ask, eventsOf, readUntil } from './__fixtures__/sse.ts'
import { talk } from './__fixtures__/talk.ts'
import { hashApiKey } from './access/api-key.ts'
import { openServer } from './open-server.ts'

const hang: Script = [{ text: 'The quick brown fox', hang: true }]

/** Used heap in bytes after a garbage collection. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

function post(url: string, body: object, path = '/process'): Promise<Response> {
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
}

/** Begins a run and releases it, as a server that closes does. */
async function releaseRun(store: Store): Promise<void> {
  const { runtime } = compose({ store, script: hang })
  for await (const event of runtime.run('guide', 'go')) if (event.type === 'text.delta') break
  await runtime.close({ drainMs: 0, onClose: 'suspend' })
}

describe('a server that listens', () => {
  it('openServer requires keys if the host is not loopback', async () => {
    await expect(openServer({ ...compose({}), host: '0.0.0.0', port: 0 })).rejects.toThrow(/requires keys/)
    const keys = [{ name: 'a', hash: hashApiKey('a-long-enough-key') }]
    await using server = await openServer({ ...compose({}), host: '0.0.0.0', port: 0, keys })
    expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(200)
  })

  it('openServer listens on any host if clients need tokens', async () => {
    const tokens = [{ issuer: 'https://id.example', audience: 'parley' }]
    await using served = await openTestServer({ host: '0.0.0.0', tokens })
    expect((await fetch(`http://127.0.0.1:${served.server.port}/sessions`)).status).toBe(401)
  })

  it('openServer names the port that is already in use', async () => {
    await using served = await openTestServer()
    await expect(openServer({ ...compose({}), port: served.server.port })).rejects.toThrow(/port.*in use/s)
  })

  it('a loopback server accepts only loopback host names', async () => {
    await using served = await openTestServer()
    const head = (host: string) => `GET /health HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`
    const answers = await Promise.all(
      ['localhost:1', '127.0.0.1', 'rebound.example'].map(host =>
        talk(served.server.port, socket => void socket.write(head(host))),
      ),
    )
    expect(answers.map(answer => answer.slice(9, 12))).toEqual(['200', '200', '403'])
  })

  it.each([
    ['whose head never ends', 'POST /process HTTP/1.1\r\nhost: localhost\r\nx-a: '],
    ['whose body never comes', 'POST /process HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"in'],
    ['that says nothing', ''],
  ])('the server drops a client %s', async (_, start) => {
    await using served = await openTestServer({ headersTimeoutMs: 60, requestTimeoutMs: 120 })
    const answer = await talk(served.server.port, socket => void socket.write(start))
    expect(answer).toMatch(/^$|HTTP\/1.1 4/)
    expect((await fetch(`${served.url}/health`)).status).toBe(200)
  })

  it('the server rejects a body that is too large before it has read it', async () => {
    await using served = await openTestServer({ limits: { maxBodyBytes: 1_000 } })
    const declared = 'POST /process HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999999999\r\n\r\n'
    expect(await talk(served.server.port, socket => void socket.write(declared))).toMatch(/^HTTP\/1.1 413/)
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`
    const chunked = `POST /process HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(5)}`
    expect(await talk(served.server.port, socket => void socket.write(chunked))).toMatch(/^HTTP\/1.1 413/)
  })

  it.each([
    ['declares', `content-length: ${32 * 1024 * 1024}\r\n\r\n`, (part: string) => part],
    ['streams', 'transfer-encoding: chunked\r\n\r\n', (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`],
  ])('a client that %s a body that is too large reads 413 after it has sent everything', async (_, framing, frame) => {
    await using served = await openTestServer({ limits: { maxBodyBytes: 1_000 } })
    const socket = connect(served.server.port, '127.0.0.1').pause()
    const write = (text: string) =>
      new Promise<void>((resolve, reject) => socket.write(text, error => (error == null ? resolve() : reject(error))))
    await write(`POST /process HTTP/1.1\r\nhost: localhost\r\n${framing}`)
    for (let sent = 0; sent < 32; sent++) {
      await write(frame('x'.repeat(1024 * 1024)))
      // The event loop is blocked for longer than a client may pause, while data waits in the socket.
      if (sent === 16) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
    }
    if (framing.includes('chunked')) await write('0\r\n\r\n')
    const [answer] = (await once(socket.resume(), 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413/)
    // The connection is usable again.
    await write('GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    const [next] = (await once(socket, 'data')) as [Buffer]
    expect(next.toString()).toMatch(/^HTTP\/1.1 200/)
    socket.destroy()
  })

  it('the server rejects a head that is too large', async () => {
    await using served = await openTestServer()
    const head = `GET /health HTTP/1.1\r\nhost: localhost\r\nx-a: ${'x'.repeat(20_000)}\r\n\r\n`
    expect(await talk(served.server.port, socket => void socket.write(head))).toMatch(/^HTTP\/1.1 431/)
  })

  it('the server serves 500 concurrent streams and frees their memory', async () => {
    const script: Script = Array.from({ length: 1_600 }, () => ({ text: 'abcdefgh'.repeat(20) }))
    await using served = await openTestServer({ script, limits: { maxKeptStreams: 5 } })
    const round = async (count: number): Promise<void> => {
      const streams = Array.from({ length: count }, async () => (await post(served.url, ask())).text())
      for (const text of await Promise.all(streams))
        expect(eventsOf(text).at(-1)).toMatchObject({ object: 'response', status: 'completed' })
    }
    await round(500)
    const before = heapUsed()
    await round(500)
    await round(500)
    expect((heapUsed() - before) / 1024 / 1024).toBeLessThan(16)
  }, 240_000)

  it.each([
    ['/process', ask('go', { id: 'mine' })],
    ['/v1/responses', { input: 'go', stream: true }],
    ['/v1/chat/completions', { model: 'guide', messages: [{ role: 'user', content: 'go' }], stream: true }],
    ['/ag-ui', { threadId: 't', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }],
    ['/api/chat', { id: 'chat', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] }],
  ])(
    'the server drops a reader of %s that accepts no data, bounds its buffer, and completes the run',
    async (path, body) => {
      const limits = { maxReplayChars: 100_000 }
      const timing = { readerTimeoutMs: 100, maxConnections: 1 }
      await using served = await openTestServer({ agent: { model: manyDeltas(30_000) }, limits, ...timing })
      const before = heapUsed()
      const json = JSON.stringify(body)
      const rest = `connection: close\r\ncontent-length: ${json.length}\r\n\r\n${json}`
      const socket = connect(served.server.port, '127.0.0.1').pause()
      // events.once rejects if the connection is reset.
      const closed = new Promise(resolve => socket.on('error', () => {}).on('close', resolve))
      socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\n${rest}`)
      const completed = () => served.store.runs({ scope: 'default', status: 'completed' })
      await vi.waitFor(async () => expect(await completed()).toHaveLength(1), 30_000)
      expect((heapUsed() - before) / 1024 / 1024).toBeLessThan(8)
      // maxConnections is 1, so this request succeeds only after the server has dropped the reader.
      await vi.waitFor(async () => expect((await fetch(`${served.url}/health`)).status).toBe(200), 30_000)
      socket.resume()
      await closed
    },
  )

  it('the server keeps the connection of a slow reader and of a silent stream', async () => {
    const until = Promise.withResolvers<void>()
    await using fast = await openTestServer({ agent: { model: manyDeltas(10_000) }, readerTimeoutMs: 4_000 })
    let chars = 0
    for await (const chunk of (await post(fast.url, ask())).body ?? []) {
      chars += (chunk as Uint8Array).byteLength
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    expect(chars).toBeGreaterThan(2_000_000)
    await using silent = await openTestServer({
      script: [1, 2].map(() => ({ text: 'Late.', until: until.promise })),
      readerTimeoutMs: 400,
    })
    const answers = [post(silent.url, ask()), post(silent.url, ask('go', { stream: false }))]
    setTimeout(() => until.resolve(), 900)
    for (const answer of answers) expect(await (await answer).text()).toContain('completed')
  })

  it('a run completes after its reader has disconnected', async () => {
    const until = Promise.withResolvers<void>()
    const script: Script = [{ toolCalls: [{ name: 'weather' }] }, { text: 'Sunny.', until: until.promise }]
    await using served = await openTestServer({ script })
    const leave = new AbortController()
    const body = JSON.stringify(ask('go', { id: 'mine' }))
    const first = await fetch(`${served.url}/process`, { method: 'POST', body, signal: leave.signal })
    await readUntil(first, 'plugin_call_output')
    leave.abort()
    until.resolve()
    const again = eventsOf(await (await fetch(`${served.url}/process/mine/events`)).text())
    expect(again.at(-1)).toMatchObject({ object: 'response', status: 'completed' })
  })

  it('closing the server ends the streams of its runs', async () => {
    const served = await openTestServer({ script: hang })
    const response = await post(served.url, ask())
    const text = response.text()
    await served.server.close({ drainMs: 0 })
    const last = eventsOf(await text).at(-1)
    expect(last?.object).toBe('response')
    expect(['canceled', 'failed', 'incomplete']).toContain(last?.status)
    await expect(fetch(`${served.url}/health`)).rejects.toThrow('fetch failed')
  })

  it('closing the server waits for runs that end within drainMs', async () => {
    const served = await openTestServer({ script: [{ text: 'Hello there.', delayMs: 50 }] })
    const response = await post(served.url, ask())
    const [text] = await Promise.all([response.text(), served.server.close()])
    expect(eventsOf(text).at(-1)).toMatchObject({ status: 'completed' })
  })

  it('openServer resumes the runs of a dead process', async () => {
    const store = createMemoryStore()
    const gone = compose({ store, script: hang })
    const run = gone.runtime.run('guide', 'go', { metadata: { responseId: 'mine' } })
    for await (const event of run) if (event.type === 'text.delta') break
    const served = compose({ store, script: ['Hello again.'] })
    const runtime = createRuntime({ agents: served.agents, store, isWorkerGone: () => true })
    await using server = await openServer({ ...served, runtime, port: 0 })
    expect(server.recovered).toBe(1)
    const events = eventsOf(await (await fetch(`${server.url}/process/mine/events`)).text())
    expect(events.at(-1)).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Hello again.' }] }] })
    await gone.runtime.close({ drainMs: 0 })
  })

  it('a server without agents resumes no runs of a dead process', async () => {
    const store = createMemoryStore()
    const gone = compose({ store, script: hang })
    const run = gone.runtime.run('guide', 'go')
    for await (const event of run) if (event.type === 'text.delta') break
    const before = await store.read(run.runId)
    const runtime = createRuntime({ agents: gone.agents, store, isWorkerGone: () => true })
    const clock = fakeClock(Date.now())
    const watching = { access: 'viewer', port: 0, resumeEveryMs: 1, readerTimeoutMs: 10_000_000 } as const
    await using server = await openServer({ runtime, agents: [], clock, ...watching })
    expect(server.recovered).toBe(0)
    const { entries } = (await (await fetch(`${server.url}/runs/${run.runId}/entries`)).json()) as {
      entries: unknown[]
    }
    expect(entries).toEqual(before)
    await clock.advance(60_000)
    expect(await store.read(run.runId)).toEqual(before)
    await gone.runtime.close({ drainMs: 0 })
  })

  it('a server takes over the run of a process that died after the server had started, when its lease has expired', async () => {
    const store = createMemoryStore()
    // The clock of the dead process stands still, so its heartbeats stop.
    const gone = compose({ store, script: hang })
    const clock = fakeClock(Date.now())
    const still = fakeClock(clock.now())
    const runtime = createRuntime({ agents: gone.agents, store, clock: still, worker: 'one-host/1' })
    const alive = compose({ store, script: ['Hello again.'] })
    const options = { ...alive, runtime: createRuntime({ agents: alive.agents, store, clock, worker: 'other-host/1' }) }
    await using server = await openServer({ ...options, clock, port: 0, readerTimeoutMs: 10_000_000 })
    expect(server.recovered).toBe(0)
    const run = runtime.run('guide', 'go', { metadata: { responseId: 'mine' } })
    await vi.waitFor(
      async () => expect(await store.runs({ scope: 'default', status: 'running' })).toHaveLength(1),
      30_000,
    )

    const stream = await fetch(`${server.url}/process/response_${run.runId}/events`)
    const texts: string[] = []
    void stream.text().then(whole => texts.push(whole))
    while (texts.length === 0) await clock.advance(250)
    // The lease lasts 15 s, and the server looks every 3 s.
    const entries = await store.read(run.runId)
    const takenAt = entries.find(({ type }) => type === 'run.resumed')?.at ?? Infinity
    expect(takenAt - (entries[0]?.at ?? 0)).toBeLessThanOrEqual(20_000)
    expect(eventsOf(texts[0] ?? '').at(-1)).toMatchObject({
      status: 'completed',
      output: [{ content: [{ text: 'Hello again.' }] }],
    })
    expect(await (await fetch(`${server.url}/process/mine`)).json()).toMatchObject({ status: 'completed' })
    const closed = runtime.close({ drainMs: 0 })
    await still.advance(60_000)
    await closed
  })

  it('a server resumes a run that another server releases later', async () => {
    const store = createMemoryStore()
    const clock = fakeClock()
    await using served = await openTestServer({ store, clock, script: ['Hello again.'], readerTimeoutMs: 10_000_000 })
    await releaseRun(store)
    await vi.waitFor(async () => {
      await clock.advance(3_000)
      expect(await served.store.runs({ scope: 'default', status: 'completed' })).toHaveLength(1)
    }, 30_000)
  })

  it('a server searches for runs of dead processes again after a search has failed', async () => {
    const inner = createMemoryStore()
    let failures = 2
    let isOpen = false
    const store: Store = {
      ...inner,
      runs: async (query, options) => {
        if (isOpen && failures-- > 0)
          throw new ParleyError({ code: 'store-unavailable', store: 'memory', detail: 'down' })
        return inner.runs(query, options)
      },
    }
    const clock = fakeClock()
    await using served = await openTestServer({ store, clock, script: ['Hello again.'], readerTimeoutMs: 10_000_000 })
    await releaseRun(inner)
    isOpen = true
    await vi.waitFor(async () => {
      await clock.advance(3_000)
      expect(await inner.runs({ scope: 'default', status: 'completed' })).toHaveLength(1)
    }, 30_000)
    expect(served.server.recovered).toBe(0)
  })

  it('a resumed run takes a place of its server', async () => {
    const store = createMemoryStore()
    await releaseRun(store)
    const { app, send, runtime } = createTestApp({ store, script: hang, limits: { maxRuns: 1 } })
    expect(await app.recover()).toBe(1)
    expect((await send('/process', { json: ask() })).status).toBe(503)
    await runtime.close({ drainMs: 0 })
  })

  it('openServer resumes the runs that a closed server released, under the same response ids, in every scope', async () => {
    const store = createMemoryStore()
    const keys = [{ name: 'alice', hash: hashApiKey('a-long-enough-key') }]
    const headers = { authorization: 'Bearer a-long-enough-key' }
    const send = (url: string, path: string, json?: object): Promise<Response> =>
      fetch(`${url}${path}`, json === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(json) })
    const before = await openTestServer({ store, keys, script: [...hang, ...hang] })
    const streams = await Promise.all([
      send(before.url, '/process', ask('go', { id: 'mine' })),
      send(before.url, '/v1/responses', { input: 'go', stream: true, metadata: { order: '7' } }),
    ])
    const texts = streams.map(response => response.text())
    await before.server.close({ drainMs: 0 })
    const [agentApi = '', openAi = ''] = await Promise.all(texts)
    expect(eventsOf(agentApi).at(-1)).toMatchObject({ status: 'incomplete', error: { code: 'SERVICE_UNAVAILABLE' } })
    const id = /"id":"(resp_[^"]+)"/.exec(openAi)?.[1] ?? ''

    await using after = await openTestServer({ store, keys, script: ['Hello again.', 'Hello again.'] })
    expect(after.server.recovered).toBe(2)
    // The resumed stream has its own event numbers, so the server sends it from the start.
    const again = eventsOf(await (await send(after.url, '/process/mine/events?starting_after=4')).text())
    expect(again[0]).toMatchObject({ status: 'created', sequence_number: 0 })
    expect(again.at(-1)).toMatchObject({
      id: 'mine',
      status: 'completed',
      output: [{ content: [{ text: 'Hello again.' }] }],
    })
    const response = await (await send(after.url, `/v1/responses/${id}`)).json()
    expect(response).toMatchObject({ id, status: 'completed', metadata: { order: '7' } })
    expect(JSON.stringify(response)).toContain('Hello again.')
  })

  it('a server streams a response whose run another server drives', async () => {
    const store = createMemoryStore()
    const until = Promise.withResolvers<void>()
    const script: Script = [
      { text: 'Let me look. ', toolCalls: [{ name: 'weather' }] },
      { text: 'Sunny.', until: until.promise },
    ]
    await using first = await openTestServer({ store, script })
    await using second = await openTestServer({ store })
    const begun = eventsOf(await readUntil(await post(first.url, ask()), 'plugin_call_output'))[0]
    const id = begun?.object === 'response' ? begun.id : ''
    expect(await (await fetch(`${second.url}/process/${id}`)).json()).toMatchObject({ id, status: 'in_progress' })
    const stream = fetch(`${second.url}/process/${id}/events`).then(response => response.text())
    until.resolve()
    const events = eventsOf(await stream)
    expect(events.at(-1)).toMatchObject({ id, status: 'completed' })
    expect(JSON.stringify(events.at(-1))).toContain('Sunny.')
  })

  it('a server cancels a run that another server drives or has released', async () => {
    const store = createMemoryStore()
    await using first = await openTestServer({ store, script: [...hang, ...hang] })
    await using second = await openTestServer({ store })
    const begun = await readUntil(await post(first.url, ask('go', { id: 'mine' })), '"delta":true')
    const [{ runId: id } = { runId: '' }] = await store.runs({ scope: 'default' })
    expect(begun).toContain('mine')
    expect(await (await post(second.url, {}, `/process/${id}/cancel`)).json()).toMatchObject({ id, status: 'canceled' })
    expect(await (await fetch(`${first.url}/process/mine`)).json()).toMatchObject({ status: 'canceled' })
    expect(await store.runs({ scope: 'default', status: 'running' })).toEqual([])

    await readUntil(await post(first.url, { input: 'go', stream: true }, '/v1/responses'), 'output_text.delta')
    const [run] = await store.runs({ scope: 'default', status: 'running' })
    await first.server.close({ drainMs: 0 })
    expect(await store.run(run?.runId ?? '')).toMatchObject({ status: 'suspended' })
    const response = await (await post(second.url, {}, `/v1/responses/resp_${run?.runId}/cancel`)).json()
    expect(response).toMatchObject({ status: 'cancelled' })
  })
})
