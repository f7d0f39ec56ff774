import type { RunQuery, RunRecord } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from './store-tables.ts'
import { toRunRecord } from './to-run-record.ts'

/** The records of one scope, newest first. */
export async function listRuns(
  db: Kysely<StoreTables>,
  { scope, sessionId, status, limit = 100 }: RunQuery,
): Promise<readonly RunRecord[]> {
  let query = db.selectFrom('runs').selectAll().where('scope', '=', scope)
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId)
  if (status !== undefined) query = query.where('status', '=', status)
  const rows = await query.orderBy('started_at', 'desc').orderBy('run_id', 'desc').limit(limit).execute()
  return rows.map(toRunRecord)
}
