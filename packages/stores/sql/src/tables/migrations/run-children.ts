import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Limits the index of parents to runs that have one: the first run of a conversation has none, and its start writes one page less. */
export const runChildren = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('runs_by_parent').execute()
    await sql`create index runs_by_parent on runs (scope, parent, started_at desc, run_id desc) where parent is not null`.execute(
      db,
    )
  },
})
