import { migrateStore, needsMigration, type StoreTables } from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import { sql, type Kysely } from 'kysely'

/** Size in bytes above which a file is migrated without the write-ahead log. */
const LARGE_FILE = 64_000_000

/** Migrates a file under the write lock, so that only one of several processes that open a new file creates the tables. */
export async function migrateFile(database: Database, db: Kysely<StoreTables>, name: string): Promise<void> {
  if (!(await needsMigration(db, { name }))) return
  const synchronous = database.pragma('synchronous', { simple: true }) as number
  if (sizeOf(database) > LARGE_FILE) leaveLog(database)
  database.exec('begin immediate')
  try {
    await migrateStore(db, { name, keyOrder: sql`without rowid`, runNumbers: true })
    database.exec('commit')
  } finally {
    if (database.inTransaction) database.exec('rollback')
    database.pragma(`synchronous = ${synchronous}`)
  }
}

/**
 * Leaves the write-ahead log until `enterLog`. The log would keep every page that the migration copies, and SQLite would search it for each
 * page that it reads. Does nothing while another process uses the file.
 */
function leaveLog(database: Database): void {
  try {
    database.pragma('journal_mode = delete')
    // Without the log, SQLite needs it to survive a power failure.
    database.pragma('synchronous = full')
  } catch {
    // The migration is slower.
  }
}

/** Enters the write-ahead log. Readers then do not wait for a writer. */
export function enterLog(database: Database): void {
  database.pragma('journal_mode = wal')
}

function sizeOf(database: Database): number {
  const bytes = database.prepare<[], number>('select page_count * page_size from pragma_page_count, pragma_page_size')
  return bytes.pluck().get() ?? 0
}
