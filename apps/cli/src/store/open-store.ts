import { resolve } from 'node:path'
import type { Store } from '@parley/core'
import { openSqliteStore } from '@parley/sqlite'
import { isPostgres } from './is-postgres.ts'

/**
 * The store `--db` names: a PostgreSQL database by its address, else a SQLite file, made when it is not there.
 * @throws ParleyError `config-invalid`, `store-…`.
 */
export async function openStore(database: string): Promise<Store> {
  if (!isPostgres(database)) return openSqliteStore({ path: resolve(database) })
  const { openPostgresStore } = await import('@parley/postgres')
  return openPostgresStore({ url: database })
}
