// Measures the memory and the answer time of a Parley server while many readers take nothing from large responses.
//   node --conditions=@parley/source bench/slow-readers.mjs [--readers 60] [--mb 20] [--path /process]
// Each reader starts a run of its own, and its connection is never read. Exits with 1 if the server exceeds 600 MB, or if the
// 99th percentile of GET /livez exceeds 100 ms.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '60' },
    mb: { type: 'string', default: '20' },
    path: { type: 'string', default: '/process' },
    serve: { type: 'boolean', default: false },
  },
})
const MAX_BYTES = 600e6
const MAX_MS = 100
const chars = Number(values.mb) * 1e6

if (values.serve) await serve()
else await measure()

async function serve() {
  const { mkdtemp } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const { createRuntime, defineAgent } = await import('@parley/engine')
  const { openServer } = await import('@parley/server')
  const { openSqliteStore } = await import('@parley/sqlite')
  const store = await openSqliteStore({ path: join(await mkdtemp(join(tmpdir(), 'parley-readers-')), 'runs.db') })
  const delta = Buffer.alloc(1_000, 'One piece of a long text. ').toString('latin1')
  const model = {
    provider: 'bench',
    id: 'long',
    info: {},
    async *stream() {
      for (let sent = 0; sent < chars; sent += delta.length) yield { type: 'text.delta', text: delta }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const agents = [defineAgent({ name: 'long', model })]
  const server = await openServer({ runtime: createRuntime({ agents, store }), port: 0 })
  const completed = async () => (await store.runs({ scope: 'default', status: 'completed', limit: 10_000 })).length
  const report = async () => {
    process.send({
      completed: await completed(),
      rss: process.memoryUsage.rss(),
      peak: process.resourceUsage().maxRSS * 1024,
    })
  }
  process.on('message', () => void report())
  process.once('disconnect', () => process.exit())
  process.send({ url: server.url })
}

function bodyOf() {
  const content = [{ type: 'text', text: 'go' }]
  if (values.path === '/process') return { input: [{ role: 'user', content }] }
  if (values.path === '/v1/responses') return { input: 'go', stream: true }
  return { model: 'long', messages: [{ role: 'user', content: 'go' }], stream: true }
}

/** Opens a stream and reads nothing of it. */
async function openReader(url) {
  const sent = request(`${url}${values.path}`, { method: 'POST' })
  sent.on('error', () => {})
  sent.end(JSON.stringify(bodyOf()))
  const [response] = await once(sent, 'response')
  response.on('error', () => {})
  response.pause()
  return response
}

async function measure() {
  const child = fork(import.meta.filename, ['--serve', ...process.argv.slice(2)], { execArgv: process.execArgv })
  const [{ url }] = await once(child, 'message')
  const readers = Number(values.readers)
  const ask = async () => {
    child.send('report')
    return (await once(child, 'message'))[0]
  }
  const times = []
  const pings = new AbortController()
  const pinging = (async () => {
    while (!pings.signal.aborted) {
      const from = performance.now()
      await (await fetch(`${url}/livez`)).text()
      times.push(performance.now() - from)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })()
  for (let count = 0; count < readers; count++) await openReader(url)
  let report = await ask()
  while (report.completed < readers) {
    await new Promise(resolve => setTimeout(resolve, 200))
    report = await ask()
  }
  pings.abort()
  await pinging
  child.kill()
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)]
  const mb = bytes => `${Math.round(bytes / 1e6)} MB`
  console.log(`${readers} readers × ${values.mb} MB at ${values.path}: RSS ${mb(report.rss)}, peak ${mb(report.peak)}`)
  console.log(`GET /livez: ${times.length} requests, p99 ${p99.toFixed(1)} ms, slowest ${times.at(-1).toFixed(1)} ms`)
  process.exitCode = report.peak <= MAX_BYTES && p99 <= MAX_MS ? 0 : 1
}
