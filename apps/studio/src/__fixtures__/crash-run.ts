// Begins a run whose tool kills this process: `node crash-run.ts DATABASE`.
import { createRuntime } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { demoAgents } from './demo-agents.ts'

const [path = ''] = process.argv.slice(2)
process.env['PARLEY_DEMO_CRASH'] = '1'
const store = await openSqliteStore({ path })
const runtime = createRuntime({ store, agents: demoAgents({ delayMs: 0 }), captureRequests: 'keep', leaseMs: 1_000 })
await runtime.run('billing', 'Charge Ann 20 euros for the train.').result
