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
] as const
const ADVANCE = ['run_id', 'worker', 'fence', 'seq', 'updated_at', 'expected_seq'] as const

/** The hot path: one transaction of statements that are prepared once and run without kysely. */
export function createAppend(database: Database, db: Kysely<StoreTables>): (append: JournalAppend) => void {
  const { selectRun, selectHead, insertRun, advanceRun, insertEntry } = journalQueries
  const select = prepareQuery(database, ['run_id'], slots => selectRun(db, slots))
  const head = prepareQuery(database, ['scope', 'session_id'], slots => selectHead(db, slots))
  const insert = prepareQuery(database, RUN, slots => insertRun(db, slots))
  const advance = prepareQuery(database, ADVANCE, slots => advanceRun(db, slots))
  const advanceStatus = prepareQuery(database, [...ADVANCE, 'status'], slots => advanceRun(db, slots))
  const add = prepareQuery(database, ['run_id', 'seq', 'type', 'at', 'entry'], slots => insertEntry(db, slots))

  function write(before: RunRow | undefined, { run, entries }: AppendPlan): void {
    if (before === undefined) insert.run(run)
    else if (run.status === before.status) advance.run({ ...run, expected_seq: before.seq })
    else advanceStatus.run({ ...run, expected_seq: before.seq })
    for (const entry of entries) add.run(entry)
  }

  return database.transaction((append: JournalAppend) => {
    const before = select.get({ run_id: append.runId })
    const plan = planAppend(before, append)
    if (plan === undefined) return
    if (before === undefined && append.sessionHead !== undefined) checkSessionHead(append, head.get(plan.run)?.run_id)
    write(before, plan)
  }).immediate
}
