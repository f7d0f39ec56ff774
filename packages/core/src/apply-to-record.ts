import type { Entry } from './schema/entry.ts'
import type { RunRecord } from './store.ts'

/** The record of a run after one more entry. Every store keeps its records with this. */
export function applyToRecord(record: RunRecord | undefined, runId: string, entry: Entry): RunRecord | undefined {
  if (entry.type === 'run.started') {
    return {
      runId,
      sessionId: entry.sessionId,
      scope: entry.scope,
      agent: entry.agent,
      relation: entry.relation,
      status: 'running',
      seq: entry.seq,
      startedAt: entry.at,
      updatedAt: entry.at,
    }
  }
  if (record === undefined) return undefined
  const status = entry.type === 'run.ended' ? entry.outcome.status : record.status
  return { ...record, status, seq: entry.seq, updatedAt: entry.at }
}
