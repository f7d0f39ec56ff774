import type { AppendRow, RunRow, StoreTables } from '@parley/store-sql'
import { sql, type AliasableExpression, type Kysely } from 'kysely'

type HeldRow = AppendRow & Pick<RunRow, 'worker' | 'fence'> & { readonly expected_seq: number }

/**
 * Inserts an append. Changes nothing if the claim is lost or the journal has grown: the id of the run is then NULL, which the column
 * does not allow, and `or ignore` skips the row. SQLite would collect the row of an `insert … select` in a temporary table first,
 * because the condition reads the table that it inserts into (bench: tricks held-values).
 * @param text The column `entries`. @default the text of the row
 */
export function insertHeld(
  db: Kysely<StoreTables>,
  { run_id, seq, at, entries, worker, fence, expected_seq }: HeldRow,
  text: AliasableExpression<string> = sql.val(entries),
) {
  const next = db
    .selectFrom('appends')
    .select(sql.lit(1).as('next'))
    .where('run_id', '=', run_id)
    .where('seq', '>', expected_seq)
  const held = db
    .selectFrom('runs')
    .select('run_id')
    .where('run_id', '=', run_id)
    .where('worker', '=', worker)
    .where('fence', '=', fence)
    .where(({ exists, not }) => not(exists(next)))
  return db.insertInto('appends').orIgnore().values({ run_id: held.$asScalar(), seq, at, entries: text })
}
