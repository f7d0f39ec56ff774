import type { RunQuery } from '@parley/core'
import type { Kysely } from 'kysely'
import { runRows } from './run-rows.ts'
import type { StoreTables } from './store-tables.ts'

/** The rows of one scope's runs, newest first. */
export function listRunsQuery(db: Kysely<StoreTables>, query: RunQuery) {
  const { scope, sessionId, status, agent, relation, parent, limit = 100 } = query
  let rows = runRows(db).where('scope', '=', scope)
  if (sessionId !== undefined) rows = rows.where('session_id', '=', sessionId)
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (agent !== undefined) rows = rows.where('agent', '=', agent)
  if (relation !== undefined) rows = rows.where('relation', '=', relation)
  if (parent !== undefined) rows = rows.where('parent', '=', parent)
  return rows.orderBy('started_at', 'desc').orderBy('run_id', 'desc').limit(limit)
}
