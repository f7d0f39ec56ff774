import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ParleyError, type Store } from '@parley/core'
import { openSqliteStore } from '@parley/sqlite'
import { isPostgres } from './database.ts'

/**
 * Opens the store that `--db` names: a PostgreSQL database, or a SQLite file. Creates a missing file.
 * @throws ParleyError `config-invalid`, `store-…`.
 */
export async function openStore(database: string): Promise<Store> {
  if (!isPostgres(database)) return openSqliteStore({ path: resolve(database) })
  const { openPostgresStore } = await import('@parley/postgres')
  return openPostgresStore({ url: database })
}

/**
 * Opens the store for a command that needs existing runs. Does not create a missing file.
 * @throws ParleyError `file-unreadable`, `config-invalid`, `store-…`.
 */
export async function openExistingStore(database: string): Promise<Store> {
  if (!isPostgres(database)) checkDatabaseFile(database)
  return openStore(database)
}

/** Checks that the database exists. @throws ParleyError `file-unreadable` if the SQLite file is missing. */
export function checkDatabaseFile(database: string): void {
  if (existsSync(resolve(database))) return
  throw new ParleyError({ code: 'file-unreadable', path: database, detail: 'the database does not exist' })
}
