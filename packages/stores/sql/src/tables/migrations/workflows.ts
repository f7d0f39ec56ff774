import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Adds the versions of workflow definitions. */
export const workflows = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('workflows')
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('name', textType, column => column.notNull())
      .addColumn('version', 'bigint', column => column.notNull())
      .addColumn('saved_at', 'bigint', column => column.notNull())
      .addColumn('definition', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('workflows_key', ['scope', 'name', 'version'])
      .execute()
  },
})
