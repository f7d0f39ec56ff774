import type { Store } from '@parley/core'
import { createSqlStore, migrateStore, type StoreTables } from '@parley/store-sql'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'

/** A store of one's own: a dialect of kysely, here with a database in memory. */
export async function openOwnPartStore(): Promise<Store> {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'own-part' })
  return createSqlStore({ name: 'own-part', db })
}
