import type { PruneQuery } from '@parley/core'
import type { Kysely } from 'kysely'
import { toWordRows } from './word-rows.ts'
import type { StoreTables } from '../tables/store-tables.ts'

/**
 * Removes old runs that have ended, in one transaction. Keeps every run that a remaining run descends from.
 * @returns Number of removed runs.
 */
export async function pruneRuns(db: Kysely<StoreTables>, { scope, before, runId }: PruneQuery): Promise<number> {
  return db.transaction().execute(async transaction => {
    const removed = await transaction
      .withRecursive('kept(run_id)', with_ =>
        with_
          .selectFrom('runs')
          .select('runs.run_id')
          .where(({ eb, or }) =>
            or([
              eb('scope', '!=', scope),
              eb('status', 'in', ['running', 'suspended']),
              eb('updated_at', '>=', before),
              ...(runId === undefined ? [] : [eb('run_id', '!=', runId)]),
            ]),
          )
          .union(
            with_
              .selectFrom('kept')
              .innerJoin('runs', 'runs.run_id', 'kept.run_id')
              .select(({ ref }) => ref('runs.parent').$notNull().as('run_id'))
              .where('runs.parent', 'is not', null),
          ),
      )
      .deleteFrom('runs')
      .where('scope', '=', scope)
      .where('run_id', 'not in', ({ selectFrom }) => selectFrom('kept').select('kept.run_id'))
      .returning(['run_id', 'scope', 'started_at', 'preview'])
      .execute()
    for (const { run_id, started_at, preview } of removed) {
      await transaction.deleteFrom('appends').where('run_id', '=', run_id).execute()
      await transaction.deleteFrom('inbox').where('run_id', '=', run_id).execute()
      for (const { word } of toWordRows({ runId: run_id, scope, startedAt: started_at, preview: preview ?? '' })) {
        const words = transaction.deleteFrom('run_words').where('scope', '=', scope).where('word', '=', word)
        await words.where('started_at', '=', started_at).where('run_id', '=', run_id).execute()
      }
      await transaction.deleteFrom('run_usage').where('run_id', '=', run_id).execute()
    }
    await transaction
      .deleteFrom('artifacts')
      .where('scope', '=', scope)
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
    await transaction.deleteFrom('quota_totals').where('scope', '=', scope).where('until', '<=', before).execute()
    await transaction.deleteFrom('workers').where('alive_until', '<', before).execute()
    return removed.length
  })
}
