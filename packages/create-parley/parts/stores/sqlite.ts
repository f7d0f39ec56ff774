import type { Store } from '@parley/core'
import { openSqliteStore } from '@parley/sqlite'

/** Keeps runs in a file. A run survives a crash of the process, and several processes of this machine may share the file. */
export function openStore(): Promise<Store> {
  return openSqliteStore({ path: process.env['PARLEY_DB'] ?? '.parley/runs.db' })
}
