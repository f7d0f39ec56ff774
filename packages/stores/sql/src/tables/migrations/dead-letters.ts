import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Adds the table of dead letters. */
export const deadLetters = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('dead_letters')
      .addColumn('letter_id', textType, column => column.primaryKey().notNull())
      .addColumn('subscriber', textType, column => column.notNull())
      .addColumn('failed_at', 'bigint', column => column.notNull())
      .addColumn('letter', 'text', column => column.notNull())
      .execute()
    await db.schema.createIndex('dead_letters_by_time').on('dead_letters').columns(['failed_at', 'letter_id']).execute()
  },
})
