// #region backend
import { createSqlStore, migrateStore, type StoreTables } from '@parley/store-sql'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'

const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
await migrateStore(db, { name: 'memory' })
await using store = createSqlStore({ name: 'memory', db })
console.log(await store.runs({ scope: 'default' })) // → []
// #endregion
