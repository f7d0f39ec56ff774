import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Adds the totals of quotas. */
export const quotaTotals = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('quota_totals')
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('owner', textType, column => column.notNull())
      .addColumn('since', 'bigint', column => column.notNull())
      .addColumn('until', 'bigint', column => column.notNull())
      .addColumn('runs', 'bigint', column => column.notNull())
      .addColumn('tokens', 'bigint', column => column.notNull())
      .addColumn('cost', 'double precision', column => column.notNull())
      .addPrimaryKeyConstraint('quota_totals_key', ['scope', 'owner', 'since', 'until'])
      .execute()
  },
})
