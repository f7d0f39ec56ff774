import type { Store } from '@parley/core'
import { createSqlStore, migrateStore, needsMigration, type Attempt, type StoreTables } from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { afterTransaction } from './after-transaction.ts'
import { checkDatabase } from './check-database.ts'
import { createAppend } from './create-append.ts'
import { createChangeCheck } from './create-change-check.ts'
import { createListRows } from './create-list-rows.ts'
import { openDatabase } from './open-database.ts'
import { retryWhileLocked } from './retry-while-locked.ts'

export interface SqliteStoreOptions {
  /** The database file, made with its folders when it is not there; `:memory:` for one that dies with the store. */
  readonly path: string
  /** Milliseconds a call waits, without blocking the process, while another process writes. @default 5000 */
  readonly busyTimeoutMs?: number | undefined
  /**
   * `normal`: an acknowledged append survives the death of the process; a power cut may take the last ones.
   * `full`: it survives a power cut too, and waits for the disk each time. @default 'normal'
   */
  readonly synchronous?: 'normal' | 'full' | undefined
}

/**
 * Opens a store in one SQLite file, bringing an older one to the newest schema. Several processes may share the
 * file; not over a network file system. Closing it folds the write-ahead log into the file.
 * @throws ParleyError `store-unavailable` when the file cannot be used (a folder, no permission, locked for longer
 * than `busyTimeoutMs`, of another program), `store-corrupt` when it is damaged, `store-newer` when a newer release
 * wrote it.
 */
export async function openSqliteStore({
  path,
  busyTimeoutMs = 5_000,
  synchronous = 'normal',
}: SqliteStoreOptions): Promise<Store> {
  const attempt = retryWhileLocked({ name: path, busyTimeoutMs })
  const database = await attempt(async () => openDatabase({ path, synchronous }))
  try {
    return await createSqliteStore(database, { name: path, attempt })
  } catch (error) {
    database.close()
    throw error
  }
}

/** Between two looks whether another process has written; each is a look at one number. */
const LOOK_MS = 50

export interface SqliteHandleOptions {
  readonly name: string
  readonly attempt: Attempt
}

/** The store on an open handle, which it closes with itself. */
export async function createSqliteStore(database: Database, { name, attempt }: SqliteHandleOptions): Promise<Store> {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) })
  await attempt(async () => checkDatabase(database, { name }))
  await attempt(() => migrate(database, db, name))
  const append = await attempt(async () => createAppend(database, db))
  return createSqlStore({
    name,
    db,
    attempt,
    append: journal => afterTransaction(database, () => append(journal)),
    listRows: createListRows(database, db),
    inboxSignals: { everyMs: LOOK_MS, mayHaveChanged: createChangeCheck(database) },
    close: () => close(database),
  })
}

/** Under the write lock: of several processes that open a new file at once, one makes the tables. */
async function migrate(database: Database, db: Kysely<StoreTables>, name: string): Promise<void> {
  if (!(await needsMigration(db, { name }))) return
  database.exec('begin immediate')
  try {
    await migrateStore(db, { name, keyOrder: sql`without rowid` })
    database.exec('commit')
  } finally {
    if (database.inTransaction) database.exec('rollback')
  }
}

function close(database: Database): void {
  try {
    database.pragma('wal_checkpoint(truncate)')
  } catch {
    // Nothing is lost: the log stays beside the file, and whoever opens it next reads both.
  } finally {
    database.close()
  }
}
