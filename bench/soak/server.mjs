import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openServer } from '@parley/server'
import { scriptedAgent } from '../workloads/scripted-agent.mjs'

const { url, schema } = JSON.parse(process.argv[2])
process.once('disconnect', () => process.exit())
process.on('message', () => process.send({ rss: process.memoryUsage.rss() }))
const store = await openPostgresStore({ url, schema })
const agents = [
  { ...scriptedAgent({ turns: 1, deltas: 10 }), name: 'short' },
  { ...scriptedAgent({ turns: 4 }), name: 'tools' },
  { ...scriptedAgent({ turns: 12, deltas: 200 }), name: 'long' },
  { ...scriptedAgent({ turns: 8, delayMs: 250 }), name: 'slow' },
]
const runtime = createRuntime({ agents, store, leaseMs: 5_000, autoResume: ['default'] })
const server = await openServer({ runtime, port: 0 })
process.send(server.url)
