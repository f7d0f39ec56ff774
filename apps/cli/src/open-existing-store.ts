import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ParleyError, type Store } from '@parley/core'
import { openSqliteStore } from '@parley/sqlite'

/**
 * The store of a command that only reads: one that is not there is not created.
 * @throws ParleyError `file-unreadable`, `store-…`.
 */
export async function openExistingStore(database: string): Promise<Store> {
  const path = resolve(database)
  if (!existsSync(path))
    throw new ParleyError({ code: 'file-unreadable', path: database, detail: 'there is no such database' })
  return openSqliteStore({ path })
}
