import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Begins the index of parents with the parent instead of the scope: `prune` looks for the runs of every scope that descend from a run. */
export const runDescendants = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('runs_by_parent').execute()
    await sql`create index runs_by_parent on runs (parent, scope, started_at desc, run_id desc) where parent is not null`.execute(
      db,
    )
  },
})
