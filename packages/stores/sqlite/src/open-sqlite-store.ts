import { checkOptions, type OptionKinds, type Store } from '@parley/core'
import { createSqlStore, type Attempt, type StoreTables } from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { SQLITE_KEYS } from './append-keys.ts'
import { checkDatabase } from './check-database.ts'
import { createAppend } from './create-append.ts'
import { createGroupCommit } from './create-group-commit.ts'
import { createChangeCheck } from './create-change-check.ts'
import { createListRows } from './create-list-rows.ts'
import { createLargeAppend } from './large-append/create-large-append.ts'
import { isLarge } from './large-append/large-text.ts'
import { enterLog, migrateFile } from './migrate-file.ts'
import { openDatabase } from './open-database.ts'
import { retryWhileLocked } from './retry-while-locked.ts'

/** Options of `openSqliteStore`. */
export interface SqliteStoreOptions {
  /** Path of the database file. Missing files and folders are created. `:memory:` keeps the data only until the store is closed. */
  readonly path: string
  /** Milliseconds that a call waits while another process writes. Waiting does not block this process. @default 5000 */
  readonly busyTimeoutMs?: number | undefined
  /**
   * `normal`: an acknowledged append survives a crash of the process, but a power failure may lose the last appends. `full`: it
   * also survives a power failure, and each append waits for the disk. @default 'normal'
   */
  readonly synchronous?: 'normal' | 'full' | undefined
}

const OPTIONS: OptionKinds<SqliteStoreOptions> = {
  path: 'string!',
  busyTimeoutMs: 'number',
  synchronous: ['normal', 'full'],
}

/**
 * Opens a store in one SQLite file, and migrates an older file to the newest schema. Several processes may share the
 * file, but not over a network file system. Closing the store merges the write-ahead log into the file.
 * @throws ParleyError `store-unavailable` if the file cannot be used. For example, it is a folder, its permissions
 * forbid access, it belongs to another program, or it is locked for longer than `busyTimeoutMs`.
 * @throws ParleyError `store-corrupt` if the file is damaged, `store-newer` if a newer release wrote it.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  checkOptions('openSqliteStore', options, OPTIONS)
  const { path, busyTimeoutMs = 5_000, synchronous = 'normal' } = options
  const attempt = retryWhileLocked({ name: path, busyTimeoutMs })
  const database = await attempt(async () => openDatabase({ path, synchronous }))
  try {
    return await createSqliteStore(database, { name: path, attempt, busyTimeoutMs })
  } catch (error) {
    database.close()
    throw error
  }
}

/** Milliseconds between two checks whether another process has written. A check reads one number. */
const POLL_MS = 50

export interface SqliteHandleOptions {
  readonly name: string
  readonly attempt: Attempt
  readonly busyTimeoutMs: number
}

/** Creates the store on an open handle. Closing the store closes the handle. */
export async function createSqliteStore(database: Database, options: SqliteHandleOptions): Promise<Store> {
  const { name, attempt, busyTimeoutMs } = options
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) })
  await attempt(async () => checkDatabase(database, { name }))
  await attempt(() => migrateFile(database, db, name))
  await attempt(async () => enterLog(database))
  const writer = await attempt(async () => createAppend(database, db))
  const group = createGroupCommit(database, writer)
  const large = createLargeAppend(database, { db, busyTimeoutMs, append: writer.write })
  return createSqlStore({
    name,
    db,
    attempt,
    append: journal => (isLarge(journal.entries) ? large.write(journal) : group.write(journal)),
    listRows: createListRows(database, db),
    appendKeys: SQLITE_KEYS,
    inboxSignals: { everyMs: POLL_MS, mayHaveChanged: createChangeCheck(database) },
    close: async () => {
      await group.flush()
      await large.close()
      close(database)
    },
  })
}

function close(database: Database): void {
  try {
    database.pragma('wal_checkpoint(truncate)')
  } catch {
    // Nothing is lost: the log file stays, and the next process to open the store reads both files.
  } finally {
    database.close()
  }
}
