import type { Entry, EntryOf } from '../schema/entry.ts'
import { runPreview } from './run-preview.ts'
import type { RunRecord, RunStatus } from './run-record.ts'

/**
 * Returns a run's record after one more entry. Every store keeps its records current with this function.
 * @param record The record before the entry; `undefined` for a new run.
 * @returns `undefined` if a new run does not begin with `run.started`.
 */
export function applyToRecord(record: RunRecord | undefined, runId: string, entry: Entry): RunRecord | undefined {
  if (entry.type === 'run.started') {
    const parent = entry.origin ?? entry.base?.runId
    return {
      runId,
      sessionId: entry.sessionId,
      scope: entry.scope,
      agent: entry.agent,
      model: entry.model,
      relation: entry.relation,
      ...(parent === undefined ? {} : { parent }),
      status: 'running',
      seq: entry.seq,
      startedAt: entry.at,
      updatedAt: entry.at,
    }
  }
  if (record === undefined) return undefined
  const next = { ...record, status: statusAfter(record.status, entry), seq: entry.seq, updatedAt: entry.at }
  if (entry.type === 'message.appended') return withPreview(next, entry)
  if (entry.type !== 'run.ended') return next
  const { usage, cost } = entry
  return { ...next, usage, ...(cost === undefined ? {} : { cost }) }
}

/** The first message of the input shows what the run is about. */
function withPreview(record: RunRecord, { source, message }: EntryOf<'message.appended'>): RunRecord {
  if (source !== 'input' || record.preview !== undefined) return record
  const preview = runPreview(message)
  return preview === undefined ? record : { ...record, preview }
}

function statusAfter(status: RunStatus, entry: Entry): RunStatus {
  if (entry.type === 'run.ended') return entry.outcome.status
  if (entry.type === 'run.suspended') return 'suspended'
  return entry.type === 'run.resumed' ? 'running' : status
}
