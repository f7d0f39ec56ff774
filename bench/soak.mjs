// Mixed load on several servers with one PostgreSQL, while one of them is killed every minute. Counts lost runs, and measures memory and p99.
//   node --conditions=@parley/source bench/soak.mjs [--minutes 60] [--servers 2] [--rate 20] [--kill-every 60]
// Exits with 1 if a run is lost, or if p99 of the last third exceeds twice that of the first third. Memory is printed only: each server is
// killed before its growth can be told from its start.
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
    servers: { type: 'string', default: '2' },
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
/** Requests by the id of their run's session: when it was sent, and whether its stream had the terminal event. */
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
  const agent = ['short', 'tools', 'long'][index % 3]
  const input = [{ role: 'user', content: [{ type: 'text', text: `Request ${index}` }] }]
  const from = performance.now()
  try {
    const { text } = await post(url, JSON.stringify({ model: agent, session_id: `soak-${index}`, input }))
    if (!text.includes('"status":"completed"')) throw new Error('cut')
    samples.push({ at: from, ms: performance.now() - from })
  } catch {
    // The server was killed. The run itself must end on another server.
    broken += 1
  }
}

const from = performance.now()
const until = from + minutes * 60_000
let kills = 0
const memory = setInterval(() => servers.forEach(({ child }) => child.connected && child.send('memory')), 2_000)
const listen = server =>
  server.child.on('message', ({ rss }) => rss && server.memory.push({ at: performance.now(), rss }))
servers.forEach(listen)
const finished = []
async function killOne() {
  const index = kills++ % servers.length
  const victim = servers[index]
  victim.child.kill('SIGKILL')
  finished.push(victim)
  const next = await openServer()
  listen(next)
  servers[index] = next
}
const killing = setInterval(() => void killOne(), killEveryMs)

const pending = new Set()
for (; performance.now() < until; sent++) {
  const wait = from + (sent / Number(values.rate)) * 1_000 - performance.now()
  if (wait > 0) await sleep(wait)
  const asking = ask(sent).finally(() => pending.delete(asking))
  pending.add(asking)
}
clearInterval(killing)
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
const lost = Number(await unfinished())
// Every journal of a sample must be readable without a gap.
for (const { runId, seq } of await store.runs({ scope: 'default', limit: 200 })) {
  const entries = await store.read(runId)
  if (entries.length !== seq) throw new Error(`run ${runId} has ${entries.length} of ${seq} entries`)
}
const third = index => {
  const [start, end] = [from + ((until - from) * index) / 3, from + ((until - from) * (index + 1)) / 3]
  return samples.filter(({ at }) => at >= start && at < end).map(({ ms }) => ms)
}
const [first, last] = [third(0), third(2)]
// The memory of one server over its life, without its first ten seconds: the change of the median from the first half to the second.
const growth = [...finished, ...servers].flatMap(({ memory: all }) => {
  const steady = all.filter(({ at }) => at > (all[0]?.at ?? 0) + 10_000).map(({ rss }) => rss)
  const half = steady.length >> 1
  return half < 5 ? [] : [median(steady.slice(half)) / median(steady.slice(0, half)) - 1]
})
for (const { child } of servers) child.kill()
const p99 = list => quantile(list, 0.99).toFixed(0)
console.log(`${minutes} minutes, ${sent} runs sent, ${kills} kills, ${broken} streams broken by kills`)
console.log(`runs: ${rows.map(({ status, count }) => `${count} ${status}`).join(', ')}; lost: ${lost}`)
console.log(
  `p50 ${quantile(first, 0.5).toFixed(0)} → ${quantile(last, 0.5).toFixed(0)} ms, p99 ${p99(first)} → ${p99(last)} ms (first and last third)`,
)
console.log(
  `RSS: median growth of a server from the first to the second half of its life ${(median(growth.length > 0 ? growth : [0]) * 100).toFixed(1)} %`,
)
process.exitCode = lost === 0 && Number(p99(last)) <= 2 * Number(p99(first)) ? 0 : 1
