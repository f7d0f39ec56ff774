import { ZERO_USAGE, type Entry } from '@parley/core'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createSqlStore } from '../create-sql-store.ts'
import { migrateStore } from '../tables/migrate-store.ts'
import type { StoreTables } from '../tables/store-tables.ts'

it('prune leaves no entry and no command of a removed run in the database', async () => {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'plain' })
  await using store = createSqlStore({ name: 'plain', db })
  const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'scope', relation: 'initial' as const }
  const outcome = { status: 'completed', finish: 'stop' } as const
  const started: Entry = { v: 1, seq: 1, at: 1, type: 'run.started', ...identity }
  const ended: Entry = { v: 1, seq: 2, at: 2, type: 'run.ended', outcome, usage: ZERO_USAGE }
  const claim = { worker: 'w', fence: 1 }
  for (const runId of ['old', 'new']) {
    await store.append({ runId, ...claim, expectedSeq: 0, entries: [started] })
    const command = { type: 'cancel' as const, reason: { kind: 'user' as const } }
    await store.inbox?.put({ runId, id: runId, at: 1, command })
  }
  await store.append({ runId: 'old', ...claim, expectedSeq: 1, entries: [ended], taken: 1 })
  expect(await store.prune?.({ scope: 'scope', before: 100 })).toBe(1)
  for (const table of ['runs', 'appends', 'inbox'] as const) {
    const rows = await db.selectFrom(table).select('run_id').execute()
    expect([table, ...rows.map(row => row.run_id)]).toEqual([table, 'new'])
  }
})
