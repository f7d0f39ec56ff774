import type { PruneQuery } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'
import type { PruneStep } from './prune-runs.ts'

/** Sessions that one statement looks at. */
const PAGE = 500

/** Removes the old artifacts of sessions without runs, in batches. */
export async function pruneArtifacts(
  db: Kysely<StoreTables>,
  { query: { scope, before }, step }: { readonly query: PruneQuery; readonly step: PruneStep },
): Promise<void> {
  let last = ''
  for (let found = PAGE; found === PAGE;) {
    const after = last
    const page = await step(() =>
      db
        .selectFrom('artifacts')
        .select('session_id')
        .distinct()
        .where('scope', '=', scope)
        .where('session_id', '>', after)
        .orderBy('session_id')
        .limit(PAGE)
        .execute(),
    )
    found = page.length
    const sessions = page.map(row => row.session_id)
    last = sessions.at(-1) ?? last
    if (sessions.length > 0) await step(() => removeArtifacts(db, { scope, before }, sessions))
  }
}

async function removeArtifacts(
  db: Kysely<StoreTables>,
  { scope, before }: Pick<PruneQuery, 'scope' | 'before'>,
  sessions: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('artifacts')
    .where('scope', '=', scope)
    .where('session_id', 'in', sessions)
    .where('kept_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('runs')
            .select('run_id')
            .where('runs.scope', '=', scope)
            .whereRef('runs.session_id', '=', 'artifacts.session_id'),
        ),
      ),
    )
    .execute()
}
