import { defineTool, ParleyError, type ClaimRequest, type Entry, type JournalAppend, type Store } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'

const YES = { decision: { type: 'approved' } } as const

/** Processes over one store, and a run that is suspended there. It is suspended again after the first decision. */
async function suspendedRun() {
  const store = createMemoryStore()
  const paid: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    permission: 'ask',
    execute: (_, { run }) => `paid ${paid.push(run.runId)}`,
  })
  const processOn = (kept: Store) => {
    const model = scriptedModel(({ messages }) => (messages.length > 3 ? 'Done.' : { toolCalls: [{ name: 'pay' }] }))
    return createRuntime({ agents: [defineAgent({ name: 'a', model, tools: [pay] })], store: kept })
  }
  const result = await processOn(store).run('a', 'go').result
  if (result.status !== 'suspended') throw new Error(`the run is ${result.status}`)
  return { store, paid, processOn, runId: result.runId, approvalId: result.approvals[0]?.approvalId ?? '' }
}

it('a decision is refused if another process decided between the first look and the claim', async () => {
  const { store, paid, processOn, runId, approvalId } = await suspendedRun()
  let left: readonly Entry[] = []
  const overtaken: Store = {
    ...store,
    claim: async (request: ClaimRequest) => {
      const run = await processOn(store).decide(runId, approvalId, YES)
      expect((await run.result).status).toBe('suspended')
      left = await store.read(runId)
      return store.claim(request)
    },
  }
  const late = processOn(overtaken).decide(runId, approvalId, YES)
  await expect(late).rejects.toMatchObject({ info: { code: 'approval-decided' } })
  expect(await store.read(runId)).toEqual(left)
  expect(paid).toEqual([runId])
})

it('a resumption is refused, and writes nothing, if another process ended the run between the first look and the claim', async () => {
  const { store, processOn, runId, approvalId } = await suspendedRun()
  let left: readonly Entry[] = []
  const overtaken: Store = {
    ...store,
    claim: async (request: ClaimRequest) => {
      await (
        await processOn(store).cancel(runId)
      ).result
      left = await store.read(runId)
      // The lease of the other process has ended.
      return store.claim({ ...request, at: request.at + 60_000 })
    },
  }
  await expect(processOn(overtaken).resume(runId)).rejects.toMatchObject({ info: { code: 'run-ended' } })
  expect(left.at(-1)?.type).toBe('run.ended')
  expect(await store.read(runId)).toEqual(left)
  expect((await store.run(runId))?.status).toBe('cancelled')
  const late = processOn(overtaken).decide(runId, approvalId, YES)
  await expect(late).rejects.toMatchObject({ info: { code: 'run-ended' } })
})

it('a resumption that the store does not keep is refused', async () => {
  const { store, processOn, runId } = await suspendedRun()
  const failing: Store = {
    ...store,
    append: async (append: JournalAppend) => {
      if (append.entries.some(({ type }) => type === 'run.resumed'))
        throw new ParleyError({ code: 'store-unavailable', store: 'x', detail: 'y' })
      await store.append(append)
    },
  }
  await expect(processOn(failing).resume(runId)).rejects.toMatchObject({ info: { code: 'store-unavailable' } })
})

it('a run of another scope cannot be resumed', async () => {
  const { store, processOn, runId } = await suspendedRun()
  const before = await store.read(runId)
  const resuming = processOn(store).resume(runId, { scope: 'other' })
  await expect(resuming).rejects.toMatchObject({ info: { code: 'run-unknown' } })
  expect(await store.read(runId)).toEqual(before)
})
