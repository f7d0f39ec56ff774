import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'

/**
 * Writes once no transaction of another call is under way on the connection. Within one, what is written would be undone
 * with it, after it was acknowledged.
 */
export async function afterTransaction(database: Database, write: () => void): Promise<void> {
  while (database.inTransaction) await nextTurn()
  write()
}
