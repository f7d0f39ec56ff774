import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Adds the table of artifacts. */
export const artifacts = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('artifacts')
      .addColumn('artifact_id', textType, column => column.primaryKey().notNull())
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('session_id', textType, column => column.notNull())
      .addColumn('kept_at', 'bigint', column => column.notNull())
      .addColumn('artifact', 'text', column => column.notNull())
      .execute()
    await db.schema.createIndex('artifacts_by_session').on('artifacts').columns(['scope', 'session_id']).execute()
  },
})
