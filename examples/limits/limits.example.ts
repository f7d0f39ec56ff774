// Limits of one run, and a quota of all runs.
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const usage = { input: 100_000, output: 0 }
const info = { pricing: { input: 20, output: 60 } } // US dollars per million tokens
const look = { name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'Nothing yet.' }
const model = scriptedModel(() => ({ toolCalls: [{ name: 'look' }], usage }), { info })

// #region limits
const eager = defineAgent({ name: 'eager', model, tools: [look], limits: { maxTurns: 20, maxCost: 3 } })
await using runtime = createRuntime({ agents: [eager], quota: { maxRuns: 1, windowMs: 3_600_000 } })

const stopped = await runtime.run('eager', 'Keep looking.').result
if (stopped.status === 'limit') console.log(stopped.turns, stopped.cost) // → 2 { usd: 4 }

const refused = await runtime.run('eager', 'Once more.').result
if (refused.status === 'failed') console.log(refused.error.code) // → quota-exceeded
// #endregion
