// Appends runs until it is told to stop, and sends the times of its appends. Another process removes old runs at the same time.
import { randomUUID } from 'node:crypto'
import { quantile } from '../workload.mjs'
import { openStore } from './open-store.mjs'
import { createRunWriter } from './write-runs.mjs'

const SCOPE = 'writer'
const { side, databases, runs } = JSON.parse(process.argv[2])
await using store = await openStore(side, databases, runs)
const write = createRunWriter(store, databases, { scope: SCOPE })
await write({ runId: randomUUID() })
let isStopped = false
process.once('message', () => (isStopped = true))
process.send('ready')
const times = []
while (!isStopped) {
  times.push(...(await write({ runId: randomUUID() })))
  // A message is received only between two turns of the event loop.
  await new Promise(resolve => setImmediate(resolve))
}
await store.prune({ scope: SCOPE, before: Number.MAX_SAFE_INTEGER })
process.send({ p50: quantile(times, 0.5), p99: quantile(times, 0.99), max: Math.max(...times), count: times.length })
process.disconnect()
