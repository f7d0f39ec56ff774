import {
  applyToRecord,
  checkAppend,
  isTerminalEntry,
  type Entry,
  type JournalAppend,
  type RunRecord,
} from '@parley/core'
import type { AppendRow, RunRow } from '../tables/store-tables.ts'
import { toRunRecord } from './run-rows.ts'

/** The rows that one append writes in one transaction. */
export interface AppendPlan {
  readonly run: RunRow
  readonly append: AppendRow
  /** Whether the append contains a terminal entry, so that the inbox must be empty. */
  readonly closes: boolean
}

/**
 * Checks an append and returns the rows that it writes.
 * @param row The run's row, read in the same transaction; `undefined` for a new run.
 * @returns `undefined` if there is nothing to write.
 * @throws ParleyError `store-fenced`, `store-conflict`, `internal` or `inbox-unread`, as listed at `JournalAppend`.
 */
export function planAppend(row: RunRow | undefined, append: JournalAppend): AppendPlan | undefined {
  const { runId, entries } = append
  checkAppend(row, append)
  let record = row === undefined ? undefined : toRunRecord(row)
  for (const entry of entries) record = applyToRecord(record, runId, entry)
  if (record === undefined || entries.length === 0) return undefined
  return {
    run: toRunRow(record, row, append),
    append: toAppendRow(record, entries),
    closes: entries.some(isTerminalEntry),
  }
}

function toRunRow(record: RunRecord, before: RunRow | undefined, append: JournalAppend): RunRow {
  const { worker, fence } = append
  return {
    run_id: record.runId,
    session_id: record.sessionId,
    scope: record.scope,
    agent: record.agent,
    relation: record.relation,
    status: record.status,
    seq: record.seq,
    started_at: record.startedAt,
    updated_at: record.updatedAt,
    worker,
    fence,
    parent: record.parent ?? null,
    received: before?.received ?? 0,
    taken: append.taken ?? before?.taken ?? 0,
  }
}

function toAppendRow({ runId, seq, updatedAt }: RunRecord, entries: readonly Entry[]): AppendRow {
  return { run_id: runId, seq, at: updatedAt, entries: JSON.stringify(entries) }
}
