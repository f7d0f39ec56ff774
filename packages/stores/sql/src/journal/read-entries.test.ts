import { userMessage, type Entry } from '@parley/core'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { migrateStore } from '../tables/migrate-store.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { createSqlStore } from '../create-sql-store.ts'

const started: Entry = {
  v: 1,
  seq: 1,
  at: 1,
  type: 'run.started',
  agent: 'a',
  model: 'p/m',
  sessionId: 's',
  scope: 'scope',
  relation: 'initial',
}
const said = (seq: number): Entry => ({
  v: 1,
  seq,
  at: seq,
  type: 'message.appended',
  source: 'input',
  message: userMessage(`${seq}`),
})

/** A store with a run of five entries, in appends that end with the entries 1, 3 and 5. */
async function setup() {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'plain' })
  const store = createSqlStore({ name: 'plain', db })
  const by = { runId: 'r', worker: 'w', fence: 1 }
  await store.append({ ...by, expectedSeq: 0, entries: [started] })
  await store.append({ ...by, expectedSeq: 1, entries: [said(2), said(3)] })
  await store.append({ ...by, expectedSeq: 3, entries: [said(4), said(5)] })
  const remove = (seq: number) => db.deleteFrom('appends').where('seq', '=', seq).execute()
  const numbers = async (options: { afterSeq?: number; limit?: number } = {}) =>
    (await store.read('r', options)).map(entry => entry.seq)
  return { store, remove, numbers }
}

it('read returns every window of a journal, whatever the appends that it was written in', async () => {
  const { store, numbers } = await setup()
  await using _ = store
  for (let afterSeq = 0; afterSeq <= 6; afterSeq++)
    for (let limit = 1; limit <= 6; limit++)
      expect(await numbers({ afterSeq, limit })).toEqual([1, 2, 3, 4, 5].slice(afterSeq, afterSeq + limit))
})

it.each([
  [1, 'entry 1', 'it is missing'],
  [3, 'entry 2', 'it is missing'],
  [5, 'entry 4', 'it is missing: the run has 5 entries'],
])('read reports the missing append that ends with entry %d', async (seq, place, detail) => {
  const { store, remove, numbers } = await setup()
  await using _ = store
  await remove(seq)
  await expect(numbers()).rejects.toMatchObject({
    info: { code: 'store-corrupt', store: `plain, run r, ${place}`, detail },
  })
})

it('read returns what it was asked for if only later entries are missing', async () => {
  const { store, remove, numbers } = await setup()
  await using _ = store
  await remove(5)
  expect(await numbers({ limit: 3 })).toEqual([1, 2, 3])
  await expect(numbers({ afterSeq: 3 })).rejects.toMatchObject({ info: { code: 'store-corrupt' } })
  expect(await numbers({ afterSeq: 5 })).toEqual([])
})
