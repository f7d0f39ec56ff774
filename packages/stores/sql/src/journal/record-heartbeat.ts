import type { Heartbeat } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'

/** Extends every claim of a worker. `claimRun` compares `alive_until` with the time of the claim. */
export async function recordHeartbeat(db: Kysely<StoreTables>, { worker, at, ttlMs }: Heartbeat): Promise<void> {
  const row = { worker, alive_until: at + ttlMs }
  await db
    .insertInto('workers')
    .values(row)
    .onConflict(conflict => conflict.column('worker').doUpdateSet({ alive_until: row.alive_until }))
    .execute()
}
