import {
  applyToRecord,
  checkAppend,
  checkRuns,
  checkSessionHead,
  type JournalAppend,
  TurnoverMap,
  type RunRecord,
} from '@parley/core'
import { journalQueries, planAppend, toQuotaRow, toRunRecord, type RunRow, type StoreTables } from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { SQLITE_KEYS } from './append-keys.ts'
import { insertAppend, insertHeld } from './insert-append.ts'
import { prepareQuery } from './prepare-query.ts'

const RUN = [
  'run_id',
  'session_id',
  'scope',
  'agent',
  'relation',
  'status',
  'seq',
  'started_at',
  'updated_at',
  'worker',
  'fence',
  'parent',
  'received',
  'taken',
  'model',
  'preview',
  'spent',
] as const
const CHANGES = ['run_id', 'seq', 'updated_at', 'status', 'taken', 'preview', 'spent'] as const
const WORD = ['scope', 'word', 'started_at', 'run_id', 'mark_a', 'mark_b'] as const
const USAGE = [
  'run_id',
  'model',
  'scope',
  'agent',
  'ended_at',
  'calls',
  'input',
  'output',
  'reasoning',
  'cache_read',
  'cache_write',
  'usd',
] as const
const APPEND = ['run_id', 'seq', 'at', 'entries'] as const
const QUOTA = ['scope', 'owner', 'since', 'until', 'runs', 'tokens', 'cost'] as const
const HELD = ['worker', 'fence', 'expected_seq'] as const

/** Largest number of runs whose newest records are cached. */
const CACHED = 1_000

/** The record of a run after this process's last append, and the claim with which it appended. */
interface Head {
  readonly record: RunRecord
  readonly worker: string
  readonly fence: number
}

/** Writes appends, each in a transaction, or as a part of the transaction that is open. */
export interface AppendWriter {
  write(append: JournalAppend): void
  /** Forgets what the last append of a run wrote, because it was undone. */
  forget(runId: string): void
}

/**
 * Creates the writer of appends. If the worker that wrote last appends again and the status of the run stays
 * the same, one statement is enough. It writes only if the claim still holds and the journal has not grown. This saves
 * the transaction and the query for the run (bench: tricks held-append). Every other append, and one that the statement
 * refuses, takes a transaction that reads the run first.
 */
export function createAppend(database: Database, db: Kysely<StoreTables>): AppendWriter {
  const { selectRun, selectHead, insertRun, insertWord, insertUsage, addCount } = journalQueries
  const select = prepareQuery(database, ['run_id'], slots => selectRun(db, slots, SQLITE_KEYS))
  const head = prepareQuery(database, ['scope', 'session_id'], slots => selectHead(db, slots))
  const insert = prepareQuery(database, RUN, slots => insertRun(db, slots))
  const change = prepareQuery(database, CHANGES, slots => changeRun(db, slots))
  const add = prepareQuery(database, APPEND, slots => insertAppend(db, slots))
  const addHeld = prepareQuery(database, [...APPEND, ...HELD], slots => insertHeld(db, slots))
  const word = prepareQuery(database, WORD, slots => insertWord(db, slots))
  const usage = prepareQuery(database, USAGE, slots => insertUsage(db, slots))
  const count = prepareQuery(database, QUOTA, slots => addCount(db, slots))
  const heads = new TurnoverMap<string, Head>()

  /** Refuses an append before it writes, except an append with counts. */
  function writeRows(append: JournalAppend): RunRow | undefined {
    const before = select.get({ run_id: append.runId })
    const plan = planAppend(before, append)
    if (plan === undefined) return undefined
    if (before !== undefined) change.run(plan.run)
    else {
      if (append.sessionHead !== undefined) checkSessionHead(append, head.get(plan.run)?.run_id)
      insert.run(plan.run)
    }
    add.run(plan.append)
    for (const row of plan.words) word.run(row)
    for (const row of plan.usage) usage.run(row)
    for (const given of append.counts ?? []) checkRuns(given, count.get(toQuotaRow(given))?.runs ?? 0)
    return plan.run
  }
  const writeWhole = database.transaction(writeRows).immediate

  function cache(runId: string, next: Head): void {
    if (next.record.status !== 'running') {
      heads.delete(runId)
      return
    }
    const [oldest] = heads.size < CACHED || heads.has(runId) ? [] : heads.keys()
    if (oldest !== undefined) heads.delete(oldest)
    heads.set(runId, next)
  }

  function write(append: JournalAppend): void {
    const { runId, worker, fence, expectedSeq: expected_seq } = append
    const known = heads.get(runId)
    const record = known === undefined ? undefined : extendHead(known, append)
    if (record !== undefined) {
      const { seq, updatedAt: at } = record
      const row = { run_id: runId, seq, at, entries: JSON.stringify(append.entries), worker, fence, expected_seq }
      if (addHeld.run(row) > 0) {
        heads.set(runId, { record, worker, fence })
        return
      }
    }
    heads.delete(runId)
    // A savepoint would copy each page that the append changes (bench: tricks no-savepoint). Only an append with counts can be refused
    // after it has written.
    const isPart = database.inTransaction && append.counts === undefined
    const written = isPart ? writeRows(append) : writeWhole(append)
    if (written !== undefined) cache(runId, { record: toRunRecord(written), worker, fence })
  }

  return { write, forget: runId => void heads.delete(runId) }
}

/**
 * Returns the record after an append that one statement can write: the claim, the status and the preview stay the same, no command
 * is taken from the inbox, and no quota counts. Otherwise returns `undefined`.
 */
function extendHead({ record, worker, fence }: Head, append: JournalAppend): RunRecord | undefined {
  const { runId, expectedSeq, entries, taken, counts } = append
  if (taken !== undefined || counts !== undefined || entries.length === 0 || record.seq !== expectedSeq)
    return undefined
  if (worker !== append.worker || fence !== append.fence) return undefined
  let next: RunRecord | undefined = record
  for (const entry of entries) {
    next = applyToRecord(next, runId, entry)
    if (next?.status !== record.status || next.preview !== record.preview) return undefined
  }
  checkAppend({ seq: expectedSeq, worker, fence }, append)
  return next
}

function changeRun(db: Kysely<StoreTables>, { run_id, ...changes }: Pick<RunRow, (typeof CHANGES)[number]>) {
  return db.updateTable('runs').set(changes).where('run_id', '=', run_id)
}
