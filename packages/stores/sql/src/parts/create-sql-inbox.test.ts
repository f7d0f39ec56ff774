import type { Entry } from '@parley/core'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createSqlStore } from '../create-sql-store.ts'
import { migrateStore } from '../tables/migrate-store.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import type { InboxSignals } from './create-inbox-watch.ts'

const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'scope', relation: 'initial' as const }
const started: Entry = { v: 1, seq: 1, at: 1, type: 'run.started', ...identity }
const resumed: Entry = { v: 1, seq: 2, at: 1, type: 'run.resumed', worker: 'w' }
const command = { type: 'cancel' as const, reason: { kind: 'user' as const } }
const by = { worker: 'w', fence: 1 }

/** A store with the run `r` that notices nothing by itself. */
async function open(inboxSignals: InboxSignals) {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'plain' })
  const store = createSqlStore({ name: 'plain', db, inboxSignals: { everyMs: 1_000_000, ...inboxSignals } })
  await store.append({ ...by, runId: 'r', expectedSeq: 0, entries: [started] })
  return store
}

it('a command is announced to other processes and told to the watches of this store once it is stored', async () => {
  const announced: string[] = []
  const told: string[] = []
  await using store = await open({ announce: runId => announced.push(runId) })
  await using _watch = await store.inbox?.watch(runId => told.push(runId))
  await new Promise(resolve => setImmediate(resolve))
  expect([announced, told]).toEqual([[], []])
  await store.inbox?.put({ runId: 'r', id: 'i', at: 1, command })
  expect([announced, told]).toEqual([['r'], ['r']])
  await expect(store.inbox?.put({ runId: 'unknown', id: 'i', at: 1, command })).rejects.toThrow('unknown')
  expect([announced, told]).toEqual([['r'], ['r']])
})

it('a watch reads which runs have commands that were not taken', async () => {
  let look = (): void => {}
  await using store = await open({
    listen: receiver => {
      look = receiver.look
      return () => {}
    },
  })
  await store.append({ ...by, runId: 'other', expectedSeq: 0, entries: [started] })
  for (const id of ['i', 'j']) await store.inbox?.put({ runId: 'r', id, at: 1, command })
  await store.append({ ...by, runId: 'r', expectedSeq: 1, taken: 1, entries: [resumed] })
  const told: string[] = []
  await using _watch = await store.inbox?.watch(runId => told.push(runId))
  await expect.poll(() => told).toEqual(['r'])
  expect((await store.inbox?.read('r'))?.map(({ id }) => id)).toEqual(['j'])
  await store.append({ ...by, runId: 'r', expectedSeq: 2, taken: 2, entries: [{ ...resumed, seq: 3 }] })
  look()
  await store.run('r')
  await new Promise(resolve => setImmediate(resolve))
  expect(told).toEqual(['r'])
  expect(await store.inbox?.read('r')).toEqual([])
})
