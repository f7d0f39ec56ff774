import { sql, type Kysely } from 'kysely'
import { runRows, type RunProgress } from './run-rows.ts'
import type { AppendRow, QuotaTotalRow, RunRow, RunUsageRow, RunWordRow, StoreTables } from '../tables/store-tables.ts'

/** The queries of an append. A backend runs them in one transaction, or prepares them once. */
export const journalQueries = {
  /** Selects the row of a run. */
  selectRun: (db: Kysely<StoreTables>, { run_id }: Pick<RunRow, 'run_id'>, progress?: RunProgress) =>
    runRows(db, progress).where('runs.run_id', '=', run_id),

  /** Selects the id of a session's newest run, for `checkSessionHead`. */
  selectHead: (db: Kysely<StoreTables>, { scope, session_id }: Pick<RunRow, 'scope' | 'session_id'>) =>
    db
      .selectFrom('runs')
      .select('run_id')
      .where('scope', '=', scope)
      .where('session_id', '=', session_id)
      .orderBy('started_at', 'desc')
      .orderBy('run_id', 'desc')
      .limit(sql.lit(1)),

  /** Inserts a run's row. Changes nothing if the run exists. */
  insertRun: (db: Kysely<StoreTables>, row: RunRow) =>
    db
      .insertInto('runs')
      .values(row)
      .onConflict(conflict => conflict.column('run_id').doNothing()),

  /** Updates a run's row. Changes nothing if the journal has grown or another claim was granted since the row was read. */
  advanceRun: (db: Kysely<StoreTables>, { run_id, worker, fence, expected_seq, ...changes }: RunAdvance) =>
    db
      .updateTable('runs')
      .set(changes)
      .where('run_id', '=', run_id)
      .where('seq', '=', expected_seq)
      .where('worker', '=', worker)
      .where('fence', '=', fence),

  /** Updates a run's row like `advanceRun`, but changes nothing if the inbox has commands that were not taken. */
  closeRun: (db: Kysely<StoreTables>, advance: RunAdvance & Pick<RunRow, 'taken'>) =>
    journalQueries.advanceRun(db, advance).where('received', '<=', advance.taken),

  /** Inserts the entries of an append. */
  insertAppend: (db: Kysely<StoreTables>, row: AppendRow) => db.insertInto('appends').values(row),

  /** Inserts the words by which a run is found. */
  insertWord: (db: Kysely<StoreTables>, row: RunWordRow | readonly RunWordRow[]) =>
    db.insertInto('run_words').values(row),

  /** Inserts what an ended run used of one model. */
  insertUsage: (db: Kysely<StoreTables>, row: RunUsageRow | readonly RunUsageRow[]) =>
    db.insertInto('run_usage').values(row),

  /** Adds a count to the total of a quota. Returns the number of runs in the total. */
  addCount: (db: Kysely<StoreTables>, row: QuotaTotalRow) =>
    db
      .insertInto('quota_totals')
      .values(row)
      .onConflict(conflict =>
        conflict.columns(['scope', 'owner', 'since', 'until']).doUpdateSet(({ eb, ref }) => ({
          runs: eb('quota_totals.runs', '+', ref('excluded.runs')),
          tokens: eb('quota_totals.tokens', '+', ref('excluded.tokens')),
          cost: eb('quota_totals.cost', '+', ref('excluded.cost')),
        })),
      )
      .returning('runs'),
}

/** Changes of a run's row. Without `status` and `taken`, the statement does not touch their indexes. */
export interface RunAdvance
  extends
    Pick<RunRow, 'run_id' | 'worker' | 'fence' | 'seq' | 'updated_at'>,
    Partial<Pick<RunRow, 'status' | 'taken' | 'preview' | 'spent'>> {
  readonly expected_seq: number
}
