import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Leaves room in the pages of `runs`. PostgreSQL writes a changed row as a new version. If the version fits on the page of the row, no index
 * changes, and a claim of an old run writes one page instead of eight. Pages that are full stay as they are until their rows are removed.
 * @param updateSpace Clause of `alter table runs`. Without one there is nothing to change.
 */
export const runSpace = (updateSpace?: RawBuilder<unknown>): Migration => ({
  async up(db: Kysely<unknown>) {
    if (updateSpace !== undefined) await sql`alter table runs ${updateSpace}`.execute(db)
  },
})
