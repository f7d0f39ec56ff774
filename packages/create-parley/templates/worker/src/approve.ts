// Approves the pending calls of a run, and follows the run to its end: npm run approve RUN_ID
import { createWorker } from './agent.ts'
import { model } from './model.ts'
import { openStore } from './store.ts'

const [runId] = process.argv.slice(2)
const store = await openStore()
const runtime = createWorker({ model, store, resources: [store], onClose: 'suspend' })
if (runId === undefined) {
  for (const run of await store.runs({ scope: 'default', status: 'suspended' })) console.log(run.runId, run.agent)
} else {
  const suspended = await (await runtime.resume(runId)).result
  const approvals = suspended.status === 'suspended' ? suspended.approvals : []
  if (approvals.length === 0) console.log('No call waits for approval.')
  for (const { approvalId, prompt } of approvals) {
    console.log(`Approved: ${prompt}`)
    const run = await runtime.decide(runId, approvalId, {
      decision: { type: 'approved' },
      by: { id: 'cli', roles: [] },
    })
    console.log((await run.result).status)
  }
}
await runtime.close()
