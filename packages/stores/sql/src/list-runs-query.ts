import type { RunQuery } from '@parley/core'
import type { Kysely } from 'kysely'
import { runRows } from './run-rows.ts'
import type { StoreTables } from './store-tables.ts'

/** The rows of one scope's runs, newest first. */
export function listRunsQuery(db: Kysely<StoreTables>, { scope, sessionId, status, limit = 100 }: RunQuery) {
  let query = runRows(db).where('scope', '=', scope)
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId)
  if (status !== undefined) query = query.where('status', '=', status)
  return query.orderBy('started_at', 'desc').orderBy('run_id', 'desc').limit(limit)
}
