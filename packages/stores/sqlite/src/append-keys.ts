import type { AppendKeys } from '@parley/store-sql'
import { sql } from 'kysely'

/**
 * The id of an append has the number of its run in the high bits and the number of its last entry in the low 32 bits. So the appends of a
 * run lie side by side, and an append changes one page of the file instead of a page of the table and one of an index.
 */
export const SQLITE_KEYS: AppendKeys = {
  follow: afterSeq => sql`appends.id > (runs.num << 32 | ${afterSeq}) and appends.id < (runs.num + 1) << 32`,
  order: sql`appends.id`,
  seq: sql`(appends.id & 4294967295)`,
  // By a trigger.
  cascade: true,
}
