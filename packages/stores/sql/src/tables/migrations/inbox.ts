import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Adds the inboxes of runs. */
export const inbox = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const name of ['received', 'taken']) {
      await db.schema
        .alterTable('runs')
        .addColumn(name, 'bigint', column => column.notNull().defaultTo(0))
        .execute()
    }
    await db.schema
      .createTable('inbox')
      .addColumn('run_id', textType, column => column.notNull())
      .addColumn('position', 'bigint', column => column.notNull())
      .addColumn('item_id', textType, column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('command', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('inbox_key', ['run_id', 'position'])
      .addUniqueConstraint('inbox_items', ['run_id', 'item_id'])
      .execute()
    // A partial index: few runs have unread items, however large the table is.
    await sql`create index runs_unread on runs (run_id) where received > taken`.execute(db)
  },
})
