import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Adds notes, and the words by which they are found. */
export const memory = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('memory_notes')
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('note_id', textType, column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .addColumn('uses', 'bigint', column => column.notNull().defaultTo(0))
      .addColumn('last_used_at', 'bigint')
      .addColumn('note', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('memory_notes_key', ['scope', 'note_id'])
      .execute()
    await db.schema
      .createIndex('memory_notes_by_time')
      .on('memory_notes')
      .columns(['scope', 'updated_at desc', 'note_id desc'])
      .execute()
    await db.schema
      .createTable('memory_words')
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('word', textType, column => column.notNull())
      .addColumn('note_id', textType, column => column.notNull())
      .addPrimaryKeyConstraint('memory_words_key', ['scope', 'word', 'note_id'])
      .execute()
    await db.schema.createIndex('memory_words_by_note').on('memory_words').columns(['scope', 'note_id']).execute()
  },
})
