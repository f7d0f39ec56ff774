import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { migrateStore } from '../tables/migrate-store.ts'
import type { RunRow, StoreTables } from '../tables/store-tables.ts'
import { journalQueries } from './journal-queries.ts'

const ROW: RunRow = {
  run_id: 'r',
  session_id: 's',
  scope: 'default',
  agent: 'a',
  relation: 'initial',
  status: 'running',
  seq: 5,
  started_at: 0,
  updated_at: 0,
  worker: 'w',
  fence: 2,
  parent: null,
  model: 'p/m',
  preview: null,
  spent: null,
  received: 3,
  taken: 1,
}

/** Number of rows that a statement changes. In the row, `changes` happened since it was read. */
async function changedRows(
  query: 'advanceRun' | 'closeRun',
  changes: Partial<RunRow> = {},
  taken = 3,
): Promise<number> {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'plain' })
  await journalQueries.insertRun(db, { ...ROW, ...changes }).execute()
  const advance = { run_id: 'r', worker: 'w', fence: 2, seq: 6, updated_at: 1, expected_seq: 5, taken }
  const { numUpdatedRows } = await journalQueries[query](db, advance).executeTakeFirstOrThrow()
  await db.destroy()
  return Number(numUpdatedRows)
}

it('advanceRun changes a row only if the journal has not grown and the claim holds', async () => {
  expect(await changedRows('advanceRun')).toBe(1)
  expect(await changedRows('advanceRun', { seq: 6 })).toBe(0)
  expect(await changedRows('advanceRun', { fence: 3 })).toBe(0)
  expect(await changedRows('advanceRun', { worker: 'other' })).toBe(0)
})

it('closeRun changes a row only if every command of the inbox was taken', async () => {
  expect(await changedRows('closeRun')).toBe(1)
  expect(await changedRows('closeRun', { received: 4 })).toBe(0)
  expect(await changedRows('closeRun', { fence: 3 })).toBe(0)
  expect(await changedRows('advanceRun', { received: 4 })).toBe(1)
})
