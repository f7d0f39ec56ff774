// Compares streams of a Parley server with streams of the same bytes from a plain hono server, interleaved in one run.
//   node --conditions=@parley/source bench/serve.mjs [--streams 500] [--rounds 5]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '5' },
    target: { type: 'string' },
    frames: { type: 'string' },
  },
})
const body = JSON.stringify({ input: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] })

if (values.target === 'parley') await serveParley()
else if (values.target === 'bare') await serveBare()
else await measure(Number(values.streams), Number(values.rounds))

async function serveParley() {
  const { createDemoModel } = await import('@parley/demo-model')
  const { createMemoryStore } = await import('@parley/memory-store')
  const { createRuntime, defineAgent } = await import('@parley/engine')
  const { openServer } = await import('@parley/server')
  const store = createMemoryStore()
  const agents = [defineAgent({ name: 'demo', model: createDemoModel() })]
  const server = await openServer({ runtime: createRuntime({ agents, store }), port: 0 })
  process.send(server.url)
}

async function serveBare() {
  const { serve } = await import('@hono/node-server')
  const { Hono } = await import('hono')
  const { streamSSE } = await import('hono/streaming')
  const app = new Hono()
  let frames = []
  app.post('/frames', async context => {
    frames = await context.req.json()
    return context.text('ok')
  })
  app.post('/process', async context => {
    await context.req.json()
    return streamSSE(context, async stream => {
      for (const data of frames) await stream.writeSSE({ data })
    })
  })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
    process.send(`http://127.0.0.1:${port}`),
  )
  process.once('disconnect', () => server.close())
}

async function open(target) {
  const child = fork(import.meta.filename, ['--target', target], { execArgv: process.execArgv })
  const [url] = await once(child, 'message')
  return { url, child }
}

async function ask(url) {
  const startedAt = performance.now()
  const response = await fetch(`${url}/process`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  const text = await response.text()
  return { ms: performance.now() - startedAt, text }
}

async function measure(streams, rounds) {
  const parley = await open('parley')
  const bare = await open('bare')
  const { text } = await ask(parley.url)
  const frames = text
    .split('\n\n')
    .flatMap(frame => (frame.includes('data: ') ? [frame.slice(frame.indexOf('data: ') + 6)] : []))
  if (frames.length === 0) throw new Error('the stream has no events')
  await fetch(`${bare.url}/frames`, { method: 'POST', body: JSON.stringify(frames) })
  console.log(
    `${streams} streams at once, ${rounds} rounds, ${frames.length} events and ${text.length} characters each`,
  )
  const times = { parley: [], bare: [] }
  const took = { parley: 0, bare: 0 }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { url }] of Object.entries({ parley, bare })) {
      const startedAt = performance.now()
      const answers = await Promise.all(Array.from({ length: streams }, () => ask(url)))
      const broken = answers.filter(answer => !answer.text.includes('"completed_at":1')).length
      if (broken > 0) throw new Error(`${name}: ${broken} streams are not complete`)
      // The first round is a warm-up and is not counted.
      if (round === 0) continue
      took[name] += performance.now() - startedAt
      times[name].push(...answers.map(({ ms }) => ms))
    }
  }
  for (const name of ['parley', 'bare']) {
    const sorted = times[name].toSorted((a, b) => a - b)
    const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(0)
    const rate = ((streams * rounds) / (took[name] / 1000)).toFixed(0)
    console.log(`${name.padEnd(7)} ${rate} streams/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  }
  parley.child.kill()
  bare.child.kill()
}
