import type { RunQuery, RunRecord } from '@parley/core'
import { sql, type Kysely } from 'kysely'
import type { RunRow, StoreTables } from '../tables/store-tables.ts'

const COLUMNS = [
  'runs.run_id',
  'runs.session_id',
  'runs.scope',
  'runs.agent',
  'runs.relation',
  'runs.status',
  'runs.started_at',
  'runs.worker',
  'runs.fence',
  'runs.parent',
  'runs.received',
  'runs.taken',
] as const

/** Selects the rows of runs. `seq` and `updated_at` come from the last append, because a backend may not update them in `runs`. */
export function runRows(db: Kysely<StoreTables>) {
  return db
    .selectFrom('runs')
    .select(COLUMNS)
    .select(({ fn, ref, selectFrom }) => {
      const last = (column: 'appends.seq' | 'appends.at') =>
        selectFrom('appends')
          .select(column)
          .whereRef('appends.run_id', '=', 'runs.run_id')
          .orderBy('appends.seq', 'desc')
          .limit(sql.lit(1))
      return [
        fn.coalesce(last('appends.seq'), ref('runs.seq')).as('seq'),
        fn.coalesce(last('appends.at'), ref('runs.updated_at')).as('updated_at'),
      ]
    })
}

/** Selects the rows of the runs that match a query, newest first. */
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

/** Converts a run's row to its record. */
export function toRunRecord(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    sessionId: row.session_id,
    scope: row.scope,
    agent: row.agent,
    relation: row.relation,
    ...(row.parent === null ? {} : { parent: row.parent }),
    status: row.status,
    seq: row.seq,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
  }
}
