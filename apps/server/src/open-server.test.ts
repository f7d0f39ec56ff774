import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMemoryStore, createRuntime } from '@parley/engine'
import type { Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { compose, openTestServer } from './__fixtures__/open-test-server.ts'
import { ask, eventsOf, readUntil } from './__fixtures__/sse.ts'
import { hashApiKey } from './access/api-key.ts'
import { openServer } from './open-server.ts'

const hang: Script = [{ text: 'The quick brown fox', hang: true }]

/** Bytes in use after everything unreachable is gone. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

/** A connection that sends what it is told, and what came back when the server closed it. */
async function talk(port: number, send: (socket: Socket) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  socket.on('error', () => {})
  await once(socket, 'connect')
  send(socket)
  await once(socket, 'close')
  return text
}

function post(url: string, body: object): Promise<Response> {
  return fetch(`${url}/process`, { method: 'POST', body: JSON.stringify(body) })
}

describe('a server that listens', () => {
  it('wants keys where others can reach it', async () => {
    await expect(openServer({ ...compose({}), host: '0.0.0.0', port: 0 })).rejects.toThrow(/needs keys/)
    const keys = [{ name: 'a', hash: hashApiKey('a-long-enough-key') }]
    await using server = await openServer({ ...compose({}), host: '0.0.0.0', port: 0, keys })
    expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(200)
  })

  it('says which port is taken', async () => {
    await using served = await openTestServer()
    await expect(openServer({ ...compose({}), port: served.server.port })).rejects.toThrow(/port.*taken/s)
  })

  it('answers on loopback to loopback names alone', async () => {
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
  ])('lets go of a client %s', async (_, start) => {
    await using served = await openTestServer({ headersTimeoutMs: 60, requestTimeoutMs: 120 })
    const answer = await talk(served.server.port, socket => void socket.write(start))
    expect(answer).toMatch(/^$|HTTP\/1.1 4/)
    expect((await fetch(`${served.url}/health`)).status).toBe(200)
  })

  it('refuses a body that is too large without reading it', async () => {
    await using served = await openTestServer({ limits: { maxBodyBytes: 1_000 } })
    const declared = 'POST /process HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999999999\r\n\r\n'
    expect(await talk(served.server.port, socket => void socket.write(declared))).toMatch(/^HTTP\/1.1 413/)
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`
    const chunked = `POST /process HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(5)}`
    expect(await talk(served.server.port, socket => void socket.write(chunked))).toMatch(/^HTTP\/1.1 413/)
  })

  it('refuses a head that is too large', async () => {
    await using served = await openTestServer()
    const head = `GET /health HTTP/1.1\r\nhost: localhost\r\nx-a: ${'x'.repeat(20_000)}\r\n\r\n`
    expect(await talk(served.server.port, socket => void socket.write(head))).toMatch(/^HTTP\/1.1 431/)
  })

  it('serves 500 streams at once, and keeps nothing of them', async () => {
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
  }, 60_000)

  it('goes on with a run whose reader has hung up', async () => {
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

  it('ends the streams of its runs when it closes', async () => {
    const served = await openTestServer({ script: hang })
    const response = await post(served.url, ask())
    const text = response.text()
    await served.server.close({ drainMs: 0 })
    const last = eventsOf(await text).at(-1)
    expect(last?.object).toBe('response')
    expect(['canceled', 'failed', 'incomplete']).toContain(last?.status)
    await expect(fetch(`${served.url}/health`)).rejects.toThrow('fetch failed')
  })

  it('lets runs end before it closes', async () => {
    const served = await openTestServer({ script: [{ text: 'Hello there.', delayMs: 50 }] })
    const response = await post(served.url, ask())
    const [text] = await Promise.all([response.text(), served.server.close()])
    expect(eventsOf(text).at(-1)).toMatchObject({ status: 'completed' })
  })

  it('takes up the runs of a process that is gone', async () => {
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
})
