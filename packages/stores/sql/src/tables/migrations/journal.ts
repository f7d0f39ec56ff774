import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Creates the first schema: runs, their entries, and workers. */
export const journal = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('runs')
      .addColumn('run_id', textType, column => column.primaryKey().notNull())
      .addColumn('session_id', textType, column => column.notNull())
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('agent', textType, column => column.notNull())
      .addColumn('relation', textType, column => column.notNull())
      .addColumn('status', textType, column => column.notNull())
      .addColumn('seq', 'bigint', column => column.notNull())
      .addColumn('started_at', 'bigint', column => column.notNull())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .addColumn('worker', textType, column => column.notNull())
      .addColumn('fence', 'bigint', column => column.notNull())
      .execute()
    const newestFirst = ['started_at desc', 'run_id desc'] as const
    await db.schema
      .createIndex('runs_by_scope')
      .on('runs')
      .columns(['scope', ...newestFirst])
      .execute()
    await db.schema
      .createIndex('runs_by_session')
      .on('runs')
      .columns(['scope', 'session_id', ...newestFirst])
      .execute()
    await db.schema
      .createIndex('runs_by_status')
      .on('runs')
      .columns(['scope', 'status', ...newestFirst])
      .execute()
    await db.schema
      .createTable('entries')
      .addColumn('run_id', textType, column => column.notNull())
      .addColumn('seq', 'bigint', column => column.notNull())
      .addColumn('type', 'text', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('entry', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('entries_key', ['run_id', 'seq'])
      .execute()
    await db.schema
      .createTable('workers')
      .addColumn('worker', textType, column => column.primaryKey().notNull())
      .addColumn('alive_until', 'bigint', column => column.notNull())
      .execute()
  },
})
