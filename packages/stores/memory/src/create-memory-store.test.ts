import type { ArtifactStore, DeadLetterStore, NoteStore, WorkflowStore } from '@parley/core'
import {
  describeArtifactContract,
  describeDeadLetterContract,
  describeNoteContract,
  describeStoreContract,
  describeWorkflowContract,
} from '@parley/testing/contract'
import { expect, it } from 'vitest'
import { createMemoryStore } from './create-memory-store.ts'

describeStoreContract('createMemoryStore', async () => createMemoryStore())
describeStoreContract('a store with only the required members', async () => {
  const { name, append, read, run, runs, claim, heartbeat, ...rest } = createMemoryStore()
  return { name, append, read, run, runs, claim, heartbeat, [Symbol.asyncDispose]: rest[Symbol.asyncDispose] }
})
describeStoreContract('a store with an inbox and without prune', async () => {
  const { prune: _prune, ...store } = createMemoryStore()
  return store
})

describeArtifactContract('createMemoryStore', async () => ({
  artifacts: createMemoryStore().artifacts as ArtifactStore,
  [Symbol.asyncDispose]: async () => {},
}))

describeDeadLetterContract('createMemoryStore', async () => ({
  deadLetters: createMemoryStore().deadLetters as DeadLetterStore,
  [Symbol.asyncDispose]: async () => {},
}))

describeNoteContract('createMemoryStore', async () => ({
  notes: createMemoryStore().notes as NoteStore,
  [Symbol.asyncDispose]: async () => {},
}))

describeWorkflowContract('createMemoryStore', async () => ({
  workflows: createMemoryStore().workflows as WorkflowStore,
  [Symbol.asyncDispose]: async () => {},
}))

it('the in-memory store returns the same entry objects that were appended', async () => {
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
