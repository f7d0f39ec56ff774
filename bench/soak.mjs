// Mixed load on several servers with one PostgreSQL, while one of them is killed every minute. Counts lost runs, and measures memory and p99.
//   node --conditions=@parley/source bench/soak.mjs [--minutes 60] [--servers 3] [--rate 20] [--kill-every 60]
// The first server is never killed, so that its memory shows whether it grows. Exits with 1 if a run is lost, if p99 of the last third
// exceeds twice that of the first third, or if the first server's memory grows by more than 15 % from the second third to the last.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { openPostgresStore } from '@parley/postgres'
import { openPostgresServer, openSchema } from './workloads/postgres/open-server.mjs'
import { post } from './workloads/server/http-client.mjs'
import { median, quantile } from './workloads/workload.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    servers: { type: 'string', default: '3' },
    rate: { type: 'string', default: '20' },
    'kill-every': { type: 'string', default: '60' },
  },
})
const minutes = Number(values.minutes)
const killEveryMs = Number(values['kill-every']) * 1_000
/** Time after the load in which every run must end: a lease, and the resume after it. */
const SETTLE_MS = 60_000
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

await using postgres = await openPostgresServer()
await using place = await openSchema(postgres.value)
const job = JSON.stringify({ url: postgres.value, schema: place.schema })
/** When each request was sent, and how long its stream took. */
const samples = []
let broken = 0
let sent = 0

async function openServer() {
  const child = fork(`${import.meta.dirname}/soak/server.mjs`, [job], { execArgv: process.execArgv })
  const [url] = await once(child, 'message')
  return { child, url, memory: [] }
}

const servers = []
for (let index = 0; index < Number(values.servers); index++) servers.push(await openServer())

async function ask(index) {
  const { url } = servers[index % servers.length]
  const agent = ['short', 'tools', 'long', 'slow'][index % 4]
  const input = [{ role: 'user', content: [{ type: 'text', text: `Request ${index}` }] }]
  const from = performance.now()
  try {
    const { text } = await post(url, JSON.stringify({ model: agent, session_id: `soak-${index}`, input }))
    if (!text.includes('"status":"completed"')) throw new Error('cut')
    // A slow run takes two seconds by its model. It is there to be at work when its server is killed.
    if (agent !== 'slow') samples.push({ at: from, ms: performance.now() - from })
  } catch {
    // The server was killed. The run itself must end on another server.
    broken += 1
  }
}

const from = performance.now()
const until = from + minutes * 60_000
let kills = 0
// A server that was just killed cannot be asked.
const ignoreKilled = () => {}
const askMemory = ({ child }) => child.connected && child.send('memory', ignoreKilled)
const memory = setInterval(() => servers.forEach(askMemory), 2_000)
const listen = server =>
  server.child.on('message', ({ rss }) => rss && server.memory.push({ at: performance.now(), rss }))
servers.forEach(listen)
async function killOne() {
  const index = 1 + (kills++ % (servers.length - 1))
  servers[index].child.kill('SIGKILL')
  const next = await openServer()
  listen(next)
  servers[index] = next
}
let replaced
const killing = setInterval(() => {
  replaced = killOne()
}, killEveryMs)

const pending = new Set()
for (; performance.now() < until; sent++) {
  const wait = from + (sent / Number(values.rate)) * 1_000 - performance.now()
  if (wait > 0) await sleep(wait)
  const asking = ask(sent).finally(() => pending.delete(asking))
  pending.add(asking)
}
clearInterval(killing)
await replaced
await Promise.all(pending)

await using store = await openPostgresStore({ url: postgres.value, schema: place.schema })
const unfinished = async () =>
  (await place.client.query(`select count(*) from ${place.schema}.runs where status in ('running', 'suspended')`))
    .rows[0].count
for (const settle = performance.now() + SETTLE_MS; performance.now() < settle && Number(await unfinished()) > 0;)
  await sleep(500)
clearInterval(memory)

const { rows } = await place.client.query(
  `select status, count(*)::int from ${place.schema}.runs group by status order by status`,
)
const resumed = rows.reduce((sum, { count }) => sum + count, 0) - (sent - broken)
const lost = Number(await unfinished())
// Every journal of a sample must be readable without a gap.
for (const { runId, seq } of await store.runs({ scope: 'default', limit: 200 })) {
  const entries = await store.read(runId)
  if (entries.length !== seq) throw new Error(`run ${runId} has ${entries.length} of ${seq} entries`)
}
const third = (list, index) => {
  const [start, end] = [from + ((until - from) * index) / 3, from + ((until - from) * (index + 1)) / 3]
  return list.filter(({ at }) => at >= start && at < end)
}
const [first, last] = [0, 2].map(index => third(samples, index).map(({ ms }) => ms))
const thirds = [0, 1, 2].map(index => median(third(servers[0].memory, index).map(({ rss }) => rss)))
const growth = thirds[2] / thirds[1] - 1
for (const { child } of servers) child.kill()
const p99 = list => quantile(list, 0.99).toFixed(0)
console.log(
  `${minutes} minutes, ${sent} runs sent, ${kills} kills, ${broken} streams broken by kills, ${resumed} of these runs finished by another server`,
)
console.log(`runs: ${rows.map(({ status, count }) => `${count} ${status}`).join(', ')}; lost: ${lost}`)
console.log(
  `p50 ${quantile(first, 0.5).toFixed(0)} → ${quantile(last, 0.5).toFixed(0)} ms, p99 ${p99(first)} → ${p99(last)} ms (first and last third)`,
)
console.log(
  `RSS of the first server: ${thirds.map(rss => (rss / 2 ** 20).toFixed(0)).join(' → ')} MB (medians of the thirds)`,
)
process.exitCode = lost === 0 && Number(p99(last)) <= 2 * Number(p99(first)) && growth <= 0.15 ? 0 : 1
