import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the marks of all words of a run to the rows of its words. Earlier rows have every bit, so they may have every word. The database adds
 * the columns without writing the rows.
 * @param hasIncludes Whether the index of the key has copies of the columns, as `include` makes them. Without it, the table itself must have the order
 * of its key.
 */
export const wordMarks = (hasIncludes = false): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const statement of [...COLUMNS, ...(hasIncludes ? KEY : [])]) await sql.raw(statement).execute(db)
  },
})

const COLUMNS = ['mark_a', 'mark_b'].map(
  column => `alter table run_words add column ${column} bigint not null default -1`,
)

const KEY = [
  'create unique index run_words_marked on run_words (scope, word, started_at, run_id) include (mark_a, mark_b)',
  'alter table run_words drop constraint run_words_key',
  'alter table run_words add constraint run_words_key primary key using index run_words_marked',
]
