import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/**
 * Adds what lists of runs show and select by: model, preview, usage and the words of the preview. Earlier runs have none of it.
 * @param keyOrder Clause that stores the small rows of words and usage in the order of their key.
 */
export const runLists = (textType: TextType, keyOrder: RawBuilder<unknown> = sql``): Migration => ({
  async up(db: Kysely<unknown>) {
    const runs = db.schema.alterTable('runs')
    await runs.addColumn('model', 'text').execute()
    await runs.addColumn('preview', 'text').execute()
    await runs.addColumn('spent', 'text').execute()
    const newestFirst = ['started_at desc', 'run_id desc'] as const
    for (const column of ['agent', 'relation', 'parent'] as const) {
      await db.schema
        .createIndex(`runs_by_${column}`)
        .on('runs')
        .columns(['scope', column, ...newestFirst])
        .execute()
    }
    await db.schema
      .createTable('run_words')
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('word', textType, column => column.notNull())
      .addColumn('started_at', 'bigint', column => column.notNull())
      .addColumn('run_id', textType, column => column.notNull())
      .addPrimaryKeyConstraint('run_words_key', ['scope', 'word', 'started_at', 'run_id'])
      .modifyEnd(keyOrder)
      .execute()
    await db.schema
      .createTable('run_usage')
      .addColumn('run_id', textType, column => column.notNull())
      .addColumn('model', textType, column => column.notNull())
      .addColumn('scope', textType, column => column.notNull())
      .addColumn('agent', textType, column => column.notNull())
      .addColumn('ended_at', 'bigint', column => column.notNull())
      .addColumn('calls', 'bigint', column => column.notNull())
      .addColumn('input', 'bigint', column => column.notNull())
      .addColumn('output', 'bigint', column => column.notNull())
      .addColumn('reasoning', 'bigint', column => column.notNull())
      .addColumn('cache_read', 'bigint', column => column.notNull())
      .addColumn('cache_write', 'bigint', column => column.notNull())
      .addColumn('usd', 'double precision', column => column.notNull())
      .addPrimaryKeyConstraint('run_usage_key', ['run_id', 'model'])
      .modifyEnd(keyOrder)
      .execute()
    await db.schema.createIndex('run_usage_by_end').on('run_usage').columns(['scope', 'ended_at']).execute()
  },
})
