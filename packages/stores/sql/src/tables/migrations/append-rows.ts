import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/**
 * Stores appends by row number, if the earlier table stored them in the order of their key. To compare a key of such a
 * table, SQLite reads the whole row, so a search beside an answer of 20 MB took 20 ms.
 * @param keyOrder Clause that the earlier table has, if any. Without one there is nothing to change.
 */
export const appendRows = (textType: TextType, keyOrder?: RawBuilder<unknown>): Migration => ({
  async up(db: Kysely<unknown>) {
    if (keyOrder === undefined) return
    await db.schema.alterTable('appends').renameTo('appends_by_key').execute()
    await db.schema
      .createTable('appends')
      .addColumn('run_id', textType, column => column.notNull())
      .addColumn('seq', 'bigint', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('entries', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('appends_key', ['run_id', 'seq'])
      .execute()
    await sql`insert into appends (run_id, seq, at, entries)
      select run_id, seq, at, entries from appends_by_key`.execute(db)
    await db.schema.dropTable('appends_by_key').execute()
  },
})
