import type { DeadLetterStore, Entry, NoteStore, Store, WorkflowStore } from '@parley/core'
import {
  describeDeadLetterContract,
  describeNoteContract,
  describeStoreContract,
  describeWorkflowContract,
} from '@parley/testing/contract'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createSqlStore, type SqlStoreOptions } from './create-sql-store.ts'
import { migrateStore } from './tables/migrate-store.ts'
import type { StoreTables } from './tables/store-tables.ts'

describeStoreContract('a store of the SQL kit with nothing but a dialect', () => openPlainStore())

describeDeadLetterContract('a store of the SQL kit with nothing but a dialect', async () => {
  const store = await openPlainStore()
  return {
    deadLetters: store.deadLetters as DeadLetterStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeNoteContract('a store of the SQL kit with nothing but a dialect', async () => {
  const store = await openPlainStore()
  return {
    notes: store.notes as NoteStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeWorkflowContract('a store of the SQL kit with nothing but a dialect', async () => {
  const store = await openPlainStore()
  return {
    workflows: store.workflows as WorkflowStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

it('an append is undone if the database rejects its last row', async () => {
  const database = new Database(':memory:')
  await using store = await openPlainStore(database)
  const trigger =
    "create trigger refuse before insert on appends when new.seq = 3 begin select raise(abort, 'full'); end"
  database.exec(trigger)
  const append = { runId: 'r', worker: 'w', fence: 1 }
  await store.append({ ...append, expectedSeq: 0, entries: [started] })
  const before = await store.run('r')
  const failing = store.append({ ...append, expectedSeq: 1, entries: [resumed(2), resumed(3)] })
  await expect(failing).rejects.toThrow('full')
  expect(await store.run('r')).toEqual(before)
  expect(await store.read('r')).toEqual([started])
})

it('createSqlStore runs every call with the attempt of the backend', async () => {
  const seen: unknown[] = []
  await using store = await openPlainStore(new Database(':memory:'), async call => {
    const result = await call()
    seen.push(result)
    return result
  })
  await store.heartbeat({ worker: 'w', at: 0, ttlMs: 1 })
  expect(await store.runs({ scope: 's' })).toEqual([])
  expect(seen).toEqual([undefined, []])
})

const started = {
  v: 1 as const,
  seq: 1,
  at: 1,
  type: 'run.started' as const,
  agent: 'agent',
  model: 'test/model',
  sessionId: 'session',
  scope: 'scope',
  relation: 'initial' as const,
}

function resumed(seq: number): Entry {
  return { v: 1, seq, at: seq, type: 'run.resumed', worker: 'w' }
}

/** Opens a store with a dialect and no other backend code. */
async function openPlainStore(
  database = new Database(':memory:'),
  attempt?: SqlStoreOptions['attempt'],
): Promise<Store> {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) })
  await migrateStore(db, { name: 'plain' })
  return createSqlStore({ name: 'plain', db, attempt })
}
