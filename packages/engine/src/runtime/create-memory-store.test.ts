import type { ArtifactStore, MemoryStore, WorkflowStore } from '@parley/core'
import {
  describeArtifactContract,
  describeMemoryContract,
  describeStoreContract,
  describeWorkflowContract,
} from '@parley/testing/contract'
import { expect, it } from 'vitest'
import { createMemoryStore } from './create-memory-store.ts'

describeStoreContract('the memory store', async () => createMemoryStore())

describeArtifactContract('the memory store', async () => ({
  artifacts: createMemoryStore().artifacts as ArtifactStore,
  [Symbol.asyncDispose]: async () => {},
}))

describeMemoryContract('the memory store', async () => ({
  memory: createMemoryStore().memory as MemoryStore,
  [Symbol.asyncDispose]: async () => {},
}))

describeWorkflowContract('the memory store', async () => ({
  workflows: createMemoryStore().workflows as WorkflowStore,
  [Symbol.asyncDispose]: async () => {},
}))

it('the in-memory store keeps entries by reference', async () => {
  await using store = createMemoryStore()
  const entry = {
    v: 1 as const,
    seq: 1,
    at: 0,
    type: 'run.started' as const,
    agent: 'a',
    model: 'p/m',
    sessionId: 's',
    scope: 'default',
    relation: 'initial' as const,
  }
  await store.append({ runId: 'r', expectedSeq: 0, worker: 'w', fence: 1, entries: [entry] })
  const [kept] = await store.read('r')
  expect(kept).toBe(entry)
})
