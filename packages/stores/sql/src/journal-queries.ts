import { sql, type Kysely } from 'kysely'
import { runRows } from './run-rows.ts'
import type { AppendRow, RunRow, StoreTables } from './store-tables.ts'

/** The statements of an append. A backend runs them in one transaction, or compiles and prepares them once. */
export const journalQueries = {
  selectRun: (db: Kysely<StoreTables>, { run_id }: Pick<RunRow, 'run_id'>) =>
    runRows(db).where('runs.run_id', '=', run_id),

  /** The newest run of a session, for `planAppend`. */
  selectHead: (db: Kysely<StoreTables>, { scope, session_id }: Pick<RunRow, 'scope' | 'session_id'>) =>
    db
      .selectFrom('runs')
      .select('run_id')
      .where('scope', '=', scope)
      .where('session_id', '=', session_id)
      .orderBy('started_at', 'desc')
      .orderBy('run_id', 'desc')
      .limit(sql.lit(1)),

  /** Writes nothing when the run exists. */
  insertRun: (db: Kysely<StoreTables>, row: RunRow) =>
    db
      .insertInto('runs')
      .values(row)
      .onConflict(conflict => conflict.column('run_id').doNothing()),

  /** Writes nothing when the journal has grown or changed hands since it was read. */
  advanceRun: (db: Kysely<StoreTables>, { run_id, worker, fence, expected_seq, ...changes }: RunAdvance) =>
    db
      .updateTable('runs')
      .set(changes)
      .where('run_id', '=', run_id)
      .where('seq', '=', expected_seq)
      .where('worker', '=', worker)
      .where('fence', '=', fence),

  /** The same, and nothing either when the inbox has more than what is taken. */
  closeRun: (db: Kysely<StoreTables>, advance: RunAdvance & Pick<RunRow, 'taken'>) =>
    journalQueries.advanceRun(db, advance).where('received', '<=', advance.taken),

  insertAppend: (db: Kysely<StoreTables>, row: AppendRow) => db.insertInto('appends').values(row),
}

/** How a run's row moves on. Without `status` and `taken` the statement leaves the indexes on them alone. */
export interface RunAdvance
  extends
    Pick<RunRow, 'run_id' | 'worker' | 'fence' | 'seq' | 'updated_at'>,
    Partial<Pick<RunRow, 'status' | 'taken'>> {
  readonly expected_seq: number
}
