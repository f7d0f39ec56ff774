import { setTimeout as sleep } from 'node:timers/promises'

const { target, runs, pieces } = JSON.parse(process.argv[2])
const go = Promise.withResolvers()
const now = () => performance.timeOrigin + performance.now()
const filler = 'one piece of an answer '.repeat(8)

process.once('disconnect', () => process.exit())
process.on('message', message => {
  if (message === 'go') return go.resolve()
  gc()
  gc()
  const { rss, heapUsed } = process.memoryUsage()
  process.send({ rss, heap: heapUsed, peak: process.resourceUsage().maxRSS * 1024 })
})

/** One piece a second after `go`. The first one is sent at once, so that every reader has the start of its response. */
async function* piecesOf() {
  yield `<${now().toFixed(2)}> ${filler}`
  await go.promise
  await sleep(Math.random() * 1_000)
  for (let piece = 1; piece < pieces; piece++) {
    await sleep(1_000)
    yield `<${now().toFixed(2)}> ${filler}`
  }
}

process.send({ urls: target === 'parley' ? await serveParley() : await serveBare() })

async function serveParley() {
  const { mkdtempSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const { createRuntime, defineAgent } = await import('@parley/engine')
  const { openServer } = await import('@parley/server')
  const { openSqliteStore } = await import('@parley/sqlite')
  const model = {
    provider: 'bench',
    id: 'pieces',
    info: {},
    async *stream() {
      for await (const text of piecesOf()) yield { type: 'text.delta', text }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const store = await openSqliteStore({ path: join(mkdtempSync(join(tmpdir(), 'parley-bench-')), 'runs.db') })
  const runtime = createRuntime({ agents: [defineAgent({ name: 'bench', model })], store })
  const server = await openServer({ runtime, port: 0, maxConnections: 10_000 })
  const urls = []
  for (let index = 0; index < runs; index++) {
    const id = `response-${index}`
    const body = JSON.stringify({ id, input: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }] })
    const response = await fetch(`${server.url}/process`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    const reader = response.body.getReader()
    const { value } = await reader.read()
    const found = /"id":"(response_[^"]+|response-[^"]+)"/.exec(Buffer.from(value).toString())
    urls.push(`${server.url}/process/${found[1]}/events`)
    void drain(reader)
  }
  return urls
}

async function drain(reader) {
  while (!(await reader.read()).done);
}

async function serveBare() {
  const { serve } = await import('@hono/node-server')
  const { Hono } = await import('hono')
  const { streamSSE } = await import('hono/streaming')
  const app = new Hono()
  app.get('/events', context =>
    streamSSE(context, async stream => {
      for await (const text of piecesOf()) await stream.writeSSE({ data: JSON.stringify({ type: 'text.delta', text }) })
      await stream.writeSSE({ data: '{"type":"end","status":"completed"}' })
    }),
  )
  const listening = Promise.withResolvers()
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => listening.resolve(port))
  return [`http://127.0.0.1:${await listening.promise}/events`]
}
