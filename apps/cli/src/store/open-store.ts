import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ParleyError, type Store } from '@parley/core'
import { DEFAULT_DATABASE, isPostgres } from './database.ts'

const IN_MEMORY = ':memory:'

/**
 * Opens the store that `--db` names: a PostgreSQL database, or a SQLite file. Creates a missing file, but no folder except
 * that of the default file, so that a mistyped path leaves nothing behind.
 * @throws ParleyError `config-invalid`, `store-…`.
 */
export async function openStore(database: string): Promise<Store> {
  if (!isPostgres(database)) {
    checkFolder(database)
    const { openSqliteStore } = await import('@parley/sqlite')
    return openSqliteStore({ path: database === IN_MEMORY ? database : resolve(database) })
  }
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

function checkFolder(database: string): void {
  const folder = dirname(resolve(database))
  if (database === IN_MEMORY || existsSync(folder) || folder === dirname(resolve(DEFAULT_DATABASE))) return
  const detail = `the folder ${dirname(database)} does not exist; create it first, or correct --db`
  throw new ParleyError({ code: 'file-unreadable', path: database, detail })
}
