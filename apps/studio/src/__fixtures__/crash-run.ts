// Begins a run whose tool kills this process: `node crash-run.ts FILE|postgres://…`.
import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { demoAgents } from './demo-agents.ts'

const [place = ''] = process.argv.slice(2)
process.env['PARLEY_DEMO_CRASH'] = '1'
const isPostgres = place.startsWith('postgres')
const store = isPostgres ? await openPostgresStore({ url: place }) : await openSqliteStore({ path: place })
const runtime = createRuntime({ store, agents: demoAgents({ delayMs: 0 }), captureRequests: 'keep', leaseMs: 1_000 })
await runtime.run('billing', 'Charge Ann 20 euros for the train.').result
