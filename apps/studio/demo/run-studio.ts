// Opens the studio on a seeded database, with the agents of the demo to talk to. No key, no network.
import { mkdirSync, rmSync } from 'node:fs'
import { createRuntime } from '@parley/engine'
import { openServer } from '@parley/server'
import { openSqliteStore } from '@parley/sqlite'
import { demoAgents } from '../src/__fixtures__/demo-agents.ts'
import { seedDemo } from '../src/__fixtures__/seed-demo.ts'
import { studioAssets } from '../src/index.ts'

const PATH = '.parley/studio.db'

mkdirSync('.parley', { recursive: true })
for (const end of ['', '-wal', '-shm']) rmSync(PATH + end, { force: true })
await using store = await openSqliteStore({ path: PATH })

process.stdout.write('Seeding a dozen runs …\n')
await seedDemo(store, PATH)

const runtime = createRuntime({ store, agents: demoAgents({ delayMs: 600 }), captureRequests: 'keep' })
const port = Number(process.env['PORT'] ?? 4600)
await using server = await openServer({ runtime, access: 'admin', studio: await studioAssets(), port })
process.stdout.write(`Parley Studio on ${server.url}/studio/\n  The runs are in ${PATH}. Ctrl-C closes.\n`)
await new Promise<void>(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
})
process.stdout.write('closing\n')
