import type { RunRecord } from '@parley/core'
import type { RunRow } from './store-tables.ts'

/** The record in a run's row. */
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
