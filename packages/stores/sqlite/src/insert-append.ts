import type { AppendRow, RunRow, StoreTables } from '@parley/store-sql'
import { sql, type Compilable, type Kysely, type RawBuilder } from 'kysely'
import { SQLITE_KEYS } from './append-keys.ts'

/** Inserts the entries of an append of a run that is in the table. */
export function insertAppend(db: Kysely<StoreTables>, { run_id, seq, at, entries }: AppendRow): Compilable<never> {
  return compilable(db, sql`insert into appends (id, at, entries) values (${idOf({ run_id, seq })}, ${at}, ${entries})`)
}

type HeldRow = AppendRow & Pick<RunRow, 'worker' | 'fence'> & { readonly expected_seq: number }

/**
 * Inserts an append. Changes nothing if the claim is lost or the journal has grown: its time is then NULL, which the column
 * does not allow, and `or ignore` skips the row. SQLite would collect the row of an `insert … select` in a temporary table first,
 * because the condition reads the table that it inserts into (bench: tricks held-values).
 * @param text The column `entries`. @default the text of the row
 */
export function insertHeld(
  db: Kysely<StoreTables>,
  { run_id, seq, at, entries, worker, fence, expected_seq }: HeldRow,
  text: RawBuilder<string> = sql`${entries}`,
): Compilable<never> {
  const held = sql`select ${at} from runs where run_id = ${run_id} and worker = ${worker} and fence = ${fence}
    and not exists (select 1 from appends where ${SQLITE_KEYS.follow(expected_seq)})`
  return compilable(
    db,
    sql`insert or ignore into appends (id, at, entries) values (${idOf({ run_id, seq })}, (${held}), ${text})`,
  )
}

function idOf({ run_id, seq }: Pick<AppendRow, 'run_id' | 'seq'>): RawBuilder<number> {
  return sql`(select num << 32 | ${seq} from runs where run_id = ${run_id})`
}

function compilable(db: Kysely<StoreTables>, statement: RawBuilder<never>): Compilable<never> {
  return { compile: () => statement.compile(db) }
}
