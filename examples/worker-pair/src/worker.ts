// One of several workers that share a database: `node worker.ts`. With a question, it also starts a run.
// #region worker
const url = process.env['DATABASE_URL'] ?? 'postgres://localhost/parley'
const schema = process.env['DATABASE_SCHEMA'] ?? 'public'
const leaseMs = Number(process.env['LEASE_MS'] ?? 15_000)

import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { clerk } from './clerk.ts'

const store = await openPostgresStore({ url, schema })
const runtime = createRuntime({
  store,
  agents: [clerk], // every worker knows the same agents
  autoResume: ['default'], // resumes the runs of a dead worker, once its claims have expired
  leaseMs,
  onClose: 'suspend', // another worker continues the runs that this one releases
  resources: [store],
})
process.once('SIGTERM', () => void runtime.close({ drainMs: 5_000 }))
// #endregion

const [, , question] = process.argv
if (question !== undefined) await runtime.run('clerk', question, { runId: 'run-of-the-pair' }).result
