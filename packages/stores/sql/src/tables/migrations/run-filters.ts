import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds what lists combine to the indexes of status and agent. A list of both skips the other runs within the index. Before, it read the row
 * of each run with the status or the agent, until the page was full.
 */
export const runFilters = (): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
})

const STATEMENTS = [
  'drop index runs_by_status',
  'create index runs_by_status on runs (scope, status, started_at desc, run_id desc, agent, relation)',
  'drop index runs_by_agent',
  'create index runs_by_agent on runs (scope, agent, started_at desc, run_id desc, status, relation)',
]
