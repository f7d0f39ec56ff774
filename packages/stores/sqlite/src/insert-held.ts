import type { AppendRow, RunRow, StoreTables } from '@parley/store-sql'
import { sql, type AliasableExpression, type Kysely } from 'kysely'

type HeldRow = AppendRow & Pick<RunRow, 'worker' | 'fence'> & { readonly expected_seq: number }

/**
 * Inserts an append. Changes nothing if the claim is lost or the journal has grown.
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
    .select(['run_id', sql.val(seq).as('seq'), sql.val(at).as('at'), text.as('entries')])
    .where('run_id', '=', run_id)
    .where('worker', '=', worker)
    .where('fence', '=', fence)
    .where(({ exists, not }) => not(exists(next)))
  return db.insertInto('appends').columns(['run_id', 'seq', 'at', 'entries']).expression(held)
}
