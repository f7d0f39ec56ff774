import type { Store } from '@parley/core'
import { createSqlStore, migrateStore, type StoreTables } from '@parley/store-sql'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'

/** A store of one's own: a dialect of kysely, here with a database in memory. */
export async function openOwnStore(): Promise<Store> {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'own' })
  return createSqlStore({ name: 'own', db })
}
