import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'

/**
 * Calls `write` as soon as no transaction of another call is open on the connection. A write inside such a transaction would be
 * acknowledged, and then undone if the transaction is rolled back.
 */
export async function afterTransaction(database: Database, write: () => void): Promise<void> {
  while (database.inTransaction) await nextTurn()
  write()
}
