import {
  applyToRecord,
  checkAppend,
  isTerminalEntry,
  type Entry,
  type JournalAppend,
  type RunRecord,
} from '@parley/core'
import type { AppendRow, RunRow, RunUsageRow, RunWordRow } from '../tables/store-tables.ts'
import type { RunAdvance } from './journal-queries.ts'
import { toColumnText, toRunRecord, toSpentColumn } from './run-rows.ts'
import { toUsageRows } from './usage-rows.ts'
import { toWordRows } from './word-rows.ts'

/** The rows that one append writes in one transaction. */
export interface AppendPlan {
  readonly run: RunRow
  readonly append: AppendRow
  /** Words of the preview, in the append that begins the run's input. */
  readonly words: readonly RunWordRow[]
  /** What the run used, in the append that ends it. */
  readonly usage: readonly RunUsageRow[]
  /** Whether the append contains a terminal entry, so that the inbox must be empty. */
  readonly closes: boolean
}

/**
 * Checks an append and returns the rows that it writes.
 * @param row The run's row, read in the same transaction; `undefined` for a new run.
 * @param encode Returns the entries as the column keeps them. @default JSON.stringify
 * @returns `undefined` if there is nothing to write.
 * @throws ParleyError `store-fenced`, `store-conflict`, `internal` or `inbox-unread`, as listed at `JournalAppend`.
 */
export function planAppend(
  row: RunRow | undefined,
  append: JournalAppend,
  encode: (entries: readonly Entry[]) => string = JSON.stringify,
): AppendPlan | undefined {
  const { runId, entries } = append
  checkAppend(row, append)
  const before = row === undefined ? undefined : toRunRecord(row)
  const record = entries.reduce<RunRecord | undefined>((known, entry) => applyToRecord(known, runId, entry), before)
  if (record === undefined || entries.length === 0) return undefined
  return {
    run: toRunRow(record, row, append),
    append: { run_id: runId, seq: record.seq, at: record.updatedAt, entries: encode(entries) },
    words: record.preview === before?.preview ? [] : toWordRows(record),
    usage: entries.flatMap(entry => (entry.type === 'run.ended' ? toUsageRows(record, entry) : [])),
    closes: entries.some(isTerminalEntry),
  }
}

/** Returns the change of a run's row that an append makes, for `journalQueries.advanceRun`. */
export function toAdvance(
  { run_id, worker, fence, seq, updated_at, status, taken, preview, spent }: RunRow,
  { expectedSeq: expected_seq }: JournalAppend,
): RunAdvance & Pick<RunRow, 'taken'> {
  return { run_id, worker, fence, seq, updated_at, status, taken, preview, spent, expected_seq }
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
    model: toColumnText(record.model),
    preview: record.preview ?? null,
    spent: toSpentColumn(record),
  }
}
