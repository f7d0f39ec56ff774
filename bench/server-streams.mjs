// Measures how late the clients of many concurrent streams receive the pieces of their answers.
//   node --conditions=@parley/source bench/server-streams.mjs [--streams 1000] [--rate 2] [--seconds 20] [--path /process] [--store memory]
// The server and the client are two processes of one machine, so that they share a clock: each piece contains the time at which the model
// produced it. Exits with 1 if the 99th percentile of the delay exceeds 150 ms, or if a stream is not complete.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '20' },
    path: { type: 'string', default: '/process' },
    store: { type: 'string', default: 'sqlite' },
    serve: { type: 'boolean', default: false },
  },
})
const MAX_MS = 150
const [streams, rate, seconds] = [Number(values.streams), Number(values.rate), Number(values.seconds)]
const pieces = Math.round(rate * seconds)
/** Milliseconds since the epoch, with a fraction. */
const now = () => performance.timeOrigin + performance.now()

if (values.serve) await serve()
else await measure()

async function openStore() {
  if (values.store === 'memory') return (await import('@parley/memory-store')).createMemoryStore()
  const { mkdtemp } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const { openSqliteStore } = await import('@parley/sqlite')
  return openSqliteStore({ path: join(await mkdtemp(join(tmpdir(), 'parley-streams-')), 'runs.db') })
}

async function serve() {
  const { createRuntime, defineAgent } = await import('@parley/engine')
  const { openServer } = await import('@parley/server')
  const begun = Promise.withResolvers()
  let count = 0
  const model = {
    provider: 'bench',
    id: 'timed',
    info: {},
    async *stream() {
      const index = count++
      if (count === streams) begun.resolve()
      // The pieces of all streams are spread evenly over time.
      await begun.promise
      const from = performance.now() + 1_000 + (index / streams / rate) * 1_000
      for (let piece = 0; piece < pieces; piece++) {
        const wait = from + (piece / rate) * 1_000 - performance.now()
        if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
        yield { type: 'text.delta', text: `<${now().toFixed(2)}> some words ` }
      }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const agents = [defineAgent({ name: 'timed', model })]
  const runtime = createRuntime({ agents, store: await openStore() })
  const server = await openServer({ runtime, port: 0, limits: { maxRuns: streams } })
  process.on('message', () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }))
  process.once('disconnect', () => process.exit())
  process.send({ url: server.url })
}

function bodyOf(index) {
  const content = [{ type: 'text', text: `go ${index}` }]
  if (values.path === '/process') return { input: [{ role: 'user', content }] }
  if (values.path === '/v1/responses') return { input: `go ${index}`, stream: true }
  return { model: 'timed', messages: [{ role: 'user', content: `go ${index}` }], stream: true }
}

/** Reads one stream. @returns How many pieces it had. */
async function read(agent, url, { index, delays }) {
  const sent = request(`${url}${values.path}`, { method: 'POST', agent })
  sent.end(JSON.stringify(bodyOf(index)))
  const [response] = await once(sent, 'response')
  let rest = ''
  let count = 0
  for await (const chunk of response) {
    const received = now()
    const frames = (rest + chunk.toString('latin1')).split('\n\n')
    rest = frames.pop()
    // Later events of the stream repeat the whole text, which has more than one time.
    for (const frame of frames) {
      const times = frame.match(/<\d+\.\d+>/g)
      if (times === null || (times.length > 1 && count >= pieces)) continue
      for (const time of times) {
        if (count++ >= pieces) continue
        delays.push(received - Number(time.slice(1, -1)))
      }
    }
  }
  return count
}

async function measure() {
  const child = fork(import.meta.filename, ['--serve', ...process.argv.slice(2)], { execArgv: process.execArgv })
  const [{ url }] = await once(child, 'message')
  const ask = async () => {
    child.send('report')
    return (await once(child, 'message'))[0]
  }
  const agent = new Agent({ maxSockets: Infinity })
  const delays = []
  const before = await ask()
  const begun = performance.now()
  const counts = await Promise.all(Array.from({ length: streams }, (_, index) => read(agent, url, { index, delays })))
  const took = (performance.now() - begun) / 1_000
  const { cpu, rss } = await ask()
  child.disconnect()
  const broken = counts.filter(count => count < pieces).length
  delays.sort((a, b) => a - b)
  const at = share => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))].toFixed(1)
  const used = (cpu.user + cpu.system - before.cpu.user - before.cpu.system) / 1e6
  console.log(
    `${streams} streams at ${values.path} × ${rate} pieces/s = ${streams * rate} pieces/s for ${seconds} s: ` +
      `delay p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms; ${broken} streams not complete`,
  )
  console.log(
    `server: ${((used / seconds) * 100).toFixed(0)} % of a core, RSS ${Math.round(rss / 1e6)} MB; whole run ${took.toFixed(1)} s`,
  )
  process.exitCode = broken === 0 && Number(at(0.99)) <= MAX_MS ? 0 : 1
}
