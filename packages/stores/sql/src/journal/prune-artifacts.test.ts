import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { migrateStore } from '../tables/migrate-store.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { pruneArtifacts } from './prune-artifacts.ts'

it.each([499, 500, 501, 1_000])('pruneArtifacts removes the old artifacts of all of %d sessions', async count => {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'plain' })
  const row = { scope: 'scope', artifact: '{}' }
  const sessions = Array.from({ length: count }, (_, index) => `s${index}`)
  for (const session_id of sessions)
    await db
      .insertInto('artifacts')
      .values({ ...row, session_id, artifact_id: session_id, kept_at: 1 })
      .execute()
  const fresh = { ...row, session_id: 's0', artifact_id: 'fresh', kept_at: 2 }
  const elsewhere = { ...row, scope: 'other', session_id: 's0', artifact_id: 'elsewhere', kept_at: 1 }
  await db.insertInto('artifacts').values([fresh, elsewhere]).execute()
  await pruneArtifacts(db, { query: { scope: 'scope', before: 2 }, step: call => call() })
  const left = await db.selectFrom('artifacts').select('artifact_id').orderBy('artifact_id').execute()
  expect(left.map(({ artifact_id }) => artifact_id)).toEqual(['elsewhere', 'fresh'])
  await db.destroy()
})
