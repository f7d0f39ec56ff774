import type { Entry } from '@parley/core'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { TextType } from '../store-tables.ts'

/** Adds the parent of each run. For existing runs it is read from their first entry. */
export const runParents = (textType: TextType): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('runs').addColumn('parent', textType).execute()
    const { rows } = await sql<{ run_id: string; entry: string }>`
      select run_id, entry from entries where seq = 1 and entry like '%"base":%'`.execute(db)
    for (const { run_id, entry } of rows) {
      const first = JSON.parse(entry) as Entry
      if (first.type !== 'run.started' || first.base === undefined) continue
      await sql`update runs set parent = ${first.base.runId} where run_id = ${run_id}`.execute(db)
    }
  },
})
