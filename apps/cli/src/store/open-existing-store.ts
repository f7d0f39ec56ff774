import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ParleyError, type Store } from '@parley/core'
import { isPostgres } from './is-postgres.ts'
import { openStore } from './open-store.ts'

/**
 * The store of a command that begins nothing: a file that is not there is not created.
 * @throws ParleyError `file-unreadable`, `config-invalid`, `store-…`.
 */
export async function openExistingStore(database: string): Promise<Store> {
  if (!isPostgres(database) && !existsSync(resolve(database)))
    throw new ParleyError({ code: 'file-unreadable', path: database, detail: 'there is no such database' })
  return openStore(database)
}
