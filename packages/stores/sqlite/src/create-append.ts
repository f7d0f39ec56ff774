import { checkSessionHead, type JournalAppend } from '@parley/core'
import { journalQueries, planAppend, type AppendPlan, type RunRow, type StoreTables } from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import type { Kysely } from 'kysely'
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
] as const
const ADVANCE = ['run_id', 'worker', 'fence', 'seq', 'updated_at', 'expected_seq'] as const

/** Runs whose row is remembered at once. */
const REMEMBERED = 1_000

/**
 * The hot path: one transaction of statements that are prepared once and run without kysely. A run's row is remembered
 * as it was written here last, so that it need not be read again: where that is out of date nothing is written, and the
 * append starts over with the row as it is.
 */
export function createAppend(database: Database, db: Kysely<StoreTables>): (append: JournalAppend) => void {
  const { selectRun, selectHead, insertRun, advanceRun, insertEntry } = journalQueries
  const select = prepareQuery(database, ['run_id'], slots => selectRun(db, slots))
  const head = prepareQuery(database, ['scope', 'session_id'], slots => selectHead(db, slots))
  const insert = prepareQuery(database, RUN, slots => insertRun(db, slots))
  const advance = prepareQuery(database, ADVANCE, slots => advanceRun(db, slots))
  const advanceWhole = prepareQuery(database, [...ADVANCE, 'status', 'taken'], slots => advanceRun(db, slots))
  const add = prepareQuery(database, ['run_id', 'seq', 'type', 'at', 'entry'], slots => insertEntry(db, slots))
  const remembered = new Map<string, RunRow>()

  const writeNext = database.transaction((before: RunRow, { run, entries }: AppendPlan): boolean => {
    if (advance.run({ ...run, expected_seq: before.seq }) === 0) return false
    for (const entry of entries) add.run(entry)
    return true
  }).immediate

  const write = database.transaction((append: JournalAppend): RunRow | undefined => {
    const before = select.get({ run_id: append.runId })
    const plan = planAppend(before, append)
    if (plan === undefined) return undefined
    const { run, entries } = plan
    if (before !== undefined) advanceWhole.run({ ...run, expected_seq: before.seq })
    else {
      if (append.sessionHead !== undefined) checkSessionHead(append, head.get(run)?.run_id)
      insert.run(run)
    }
    for (const entry of entries) add.run(entry)
    return run
  }).immediate

  function remember(run: RunRow): void {
    if (run.status !== 'running') {
      remembered.delete(run.run_id)
      return
    }
    const [oldest] = remembered.size < REMEMBERED || remembered.has(run.run_id) ? [] : remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
    remembered.set(run.run_id, run)
  }

  return append => {
    const known = remembered.get(append.runId)
    if (known !== undefined && goesOnFrom(known, append)) {
      const plan = planAppend(known, append)
      // What closes a run, or empties its inbox, looks at the row: others put items there.
      if (plan !== undefined && plan.run.status === known.status && writeNext(known, plan)) {
        remember(plan.run)
        return
      }
    }
    remembered.delete(append.runId)
    const written = write(append)
    if (written !== undefined) remember(written)
  }
}

function goesOnFrom({ seq, worker, fence }: RunRow, append: JournalAppend): boolean {
  const { expectedSeq, entries, taken } = append
  return (
    taken === undefined &&
    entries.length > 0 &&
    seq === expectedSeq &&
    worker === append.worker &&
    fence === append.fence
  )
}
