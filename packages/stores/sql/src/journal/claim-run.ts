import { ParleyError, type Claim, type ClaimRequest } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'

/**
 * Claims a run. One statement decides, so that the second of two concurrent claims sees the first. If a row changes
 * while the statement waits for it, PostgreSQL checks the row again. But it reads `workers` as of the start of the
 * statement, when the new holder may have had no heartbeat yet. So the statement refuses a row that was claimed while
 * it waited.
 */
export async function claimRun(
  db: Kysely<StoreTables>,
  { runId, worker, at, force = false }: ClaimRequest,
): Promise<Claim> {
  let update = db
    .updateTable('runs')
    .set(({ eb }) => ({ worker, fence: eb('fence', '+', 1) }))
    .where('run_id', '=', runId)
  if (!force) {
    update = update.where(({ eb, not, exists, selectFrom }) => {
      const live = selectFrom('workers')
        .select('workers.worker')
        .whereRef('workers.worker', '=', 'runs.worker')
        .where('alive_until', '>', at)
      const seen = selectFrom('runs as seen').select('seen.fence').where('seen.run_id', '=', runId)
      const free = eb('runs.worker', '=', worker)
        .or('runs.status', '=', 'suspended')
        .or(not(exists(live)))
      return eb('runs.fence', '=', seen).and(free)
    })
  }
  const granted = await update.returning('fence').executeTakeFirst()
  if (granted !== undefined) return { granted: true, fence: granted.fence }
  const holder = await db
    .selectFrom('runs')
    .leftJoin('workers', 'workers.worker', 'runs.worker')
    .select(['runs.worker', 'alive_until'])
    .where('run_id', '=', runId)
    .executeTakeFirst()
  if (holder === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const { worker: other, alive_until: aliveUntil } = holder
  return { granted: false, worker: other, ...(aliveUntil === null ? {} : { aliveUntil }) }
}
