import { defineTool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { expect, it } from 'vitest'
import { setUpTeam } from '../../steps/delegation/__fixtures__/set-up-team.ts'
import { pendingRequests } from './pending-requests.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: { type: 'object' },
  permission: 'ask',
  execute: () => 'paid',
})

/** A run that is suspended because its child run asks for approval. */
async function setup() {
  const store = createMemoryStore()
  const { runtimeOn } = setUpTeam({
    helper: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    helperAgent: { tools: [pay] },
  })
  const result = await runtimeOn(store).run('lead', 'go').result
  if (result.status !== 'suspended') throw new Error(result.status)
  const { runId } = result
  const child = (await store.read(runId)).find(entry => entry.type === 'agent.started')?.childRunId ?? ''
  return { store, runId, child, approvalId: result.approvals[0]?.approvalId ?? '' }
}

it('a request of a child run is pending for the child run and for its parent run', async () => {
  const { store, runId, child, approvalId } = await setup()
  expect((await pendingRequests(store, runId)).approvals).toMatchObject([{ approvalId, runId: child }])
  const [own] = (await pendingRequests(store, child)).approvals
  expect(own).toMatchObject({ approvalId })
  expect(own).not.toHaveProperty('runId')
})

it('a request that the parent run has decided is not pending, although the child run does not know it yet', async () => {
  const { store, runId, child, approvalId } = await setup()
  const { seq = 0 } = (await store.run(runId)) ?? {}
  await store.claim({ runId, worker: 'w', at: 0, force: true })
  const decision = { type: 'approved' as const }
  const entry = { v: 1 as const, seq: seq + 1, at: 0, type: 'approval.decided' as const, approvalId, decision }
  await store.append({ runId, worker: 'w', fence: 2, expectedSeq: seq, entries: [entry] })
  expect((await pendingRequests(store, runId)).approvals).toEqual([])
  expect((await pendingRequests(store, child)).approvals).toMatchObject([{ approvalId }])
})
