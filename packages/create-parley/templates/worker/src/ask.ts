// Starts a run and follows it. If this process dies, a worker resumes the run.
import { createWorker } from './agent.ts'
import { model } from './model.ts'
import { openStore } from './store.ts'

const store = await openStore()
const runtime = createWorker({ model, store, resources: [store], onClose: 'suspend' })
const run = runtime.run('clerk', process.argv.slice(2).join(' ') || 'What can you do?')
const result = await run.result
console.log(run.runId, result.status)
if (result.status === 'completed') console.log(result.text)
if (result.status === 'suspended')
  for (const { prompt } of result.approvals) console.log(`Waits for approval: ${prompt}`)
await runtime.close()
