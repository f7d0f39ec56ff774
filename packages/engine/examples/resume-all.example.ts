// #region resume-all
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

const store = createMemoryStore() // `openSqliteStore` or `openPostgresStore` outlive the process
const agents = [defineAgent({ name: 'assistant', model: scriptedModel(['Done.']) })]

const runtime = createRuntime({ store, agents })
const { runs, left } = await runtime.resumeAll()
for (const run of runs) console.log((await run.result).status)
console.log(left.length) // → 0
// #endregion
