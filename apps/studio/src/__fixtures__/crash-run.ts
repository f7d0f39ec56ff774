// Begins a run whose tool kills this process: `node crash-run.ts FILE|postgres://… START`. START: milliseconds since the epoch.
import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { demoAgents } from './demo-agents.ts'
import { createDemoClock } from './demo-clock.ts'
import { SEED_DELAY_MS } from './seed-demo.ts'

const [place = '', start] = process.argv.slice(2)
process.env['PARLEY_DEMO_CRASH'] = '1'
const isPostgres = place.startsWith('postgres')
const store = isPostgres ? await openPostgresStore({ url: place }) : await openSqliteStore({ path: place })
const runtime = createRuntime({
  store,
  agents: demoAgents({ delayMs: SEED_DELAY_MS }),
  captureRequests: 'keep',
  clock: createDemoClock(Number(start)),
})
await runtime.run('billing', 'Charge Ann 20 euros for the train.').result
