import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Stores one row per append instead of one per entry, because the entries of an append are written and read together. */
export const appends = (textType: TextType, keyOrder: RawBuilder<unknown> = sql``): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('appends')
      .addColumn('run_id', textType, column => column.notNull())
      .addColumn('seq', 'bigint', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('entries', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('appends_key', ['run_id', 'seq'])
      .modifyEnd(keyOrder)
      .execute()
    await sql`insert into appends (run_id, seq, at, entries)
      select run_id, seq, at, '[' || entry || ']' from entries`.execute(db)
    await db.schema.dropTable('entries').execute()
    // `session_id` comes first, because `scope` is often the same for all runs.
    await db.schema.dropIndex('runs_by_session').execute()
    await db.schema
      .createIndex('runs_by_session')
      .on('runs')
      .columns(['session_id', 'scope', 'started_at desc', 'run_id desc'])
      .execute()
  },
})
