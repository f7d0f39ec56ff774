import type { ArtifactStore, DeadLetterStore, NoteStore, Store, WorkflowStore } from '@parley/core'
import {
  describeArtifactContract,
  describeDeadLetterContract,
  describeNoteContract,
  describeStoreContract,
  describeWorkflowContract,
} from '@parley/testing/contract'
import { inject } from 'vitest'
import { openEmptySchema } from './__fixtures__/open-schema.ts'
import { openPostgresStore } from './open-postgres-store.ts'

describeStoreContract('a store in PostgreSQL', openTemporaryStore)

describeDeadLetterContract('a store in PostgreSQL', async () => {
  const store = await openTemporaryStore()
  return {
    deadLetters: store.deadLetters as DeadLetterStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeArtifactContract('a store in PostgreSQL', async () => {
  const store = await openTemporaryStore()
  return {
    artifacts: store.artifacts as ArtifactStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeNoteContract('a store in PostgreSQL', async () => {
  const store = await openTemporaryStore()
  return {
    notes: store.notes as NoteStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeWorkflowContract('a store in PostgreSQL', async () => {
  const store = await openTemporaryStore()
  return {
    workflows: store.workflows as WorkflowStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

async function openTemporaryStore(): Promise<Store> {
  const place = await openEmptySchema(inject('postgresUrl'))
  const store = await openPostgresStore({ url: place.url, schema: place.schema, connections: 4 })
  return {
    ...store,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}
