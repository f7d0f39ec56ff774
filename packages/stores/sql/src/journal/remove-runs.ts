import type { PruneQuery } from '@parley/core'
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { RunRow, RunWordRow, StoreTables } from '../tables/store-tables.ts'
import { toWordRows } from './word-rows.ts'

export type RemovedRun = Pick<RunRow, 'run_id' | 'started_at' | 'preview' | 'parent'>

/** Largest number of words that one statement removes. A word has four values, and SQLite accepts 32,766 of them. */
const MAX_WORDS = 2_000

/**
 * Removes those of the given runs that have ended, are old enough, and from which no other run descends, with everything that the
 * store has about them. The caller provides the transaction.
 * @param ids At least one.
 */
export async function removeRuns(
  transaction: Kysely<StoreTables>,
  { scope, before }: PruneQuery,
  ids: readonly string[],
): Promise<readonly RemovedRun[]> {
  const removed = await transaction
    .withRecursive('kept(run_id)', with_ =>
      with_
        .selectFrom('runs')
        .select('runs.run_id')
        .where('runs.run_id', 'in', ids)
        .where(({ eb, or, exists, selectFrom }) =>
          or([
            eb('runs.scope', '!=', scope),
            eb('runs.status', 'in', ['running', 'suspended']),
            eb('runs.updated_at', '>=', before),
            exists(
              selectFrom('runs as child')
                .select('child.run_id')
                .whereRef('child.parent', '=', 'runs.run_id')
                .where('child.run_id', 'not in', ids),
            ),
          ]),
        )
        .union(
          with_
            .selectFrom('kept')
            .innerJoin('runs', 'runs.run_id', 'kept.run_id')
            .select(({ ref }) => ref('runs.parent').$notNull().as('run_id'))
            .where('runs.parent', 'in', ids),
        ),
    )
    .deleteFrom('runs')
    .where('run_id', 'in', ids)
    .where('run_id', 'not in', ({ selectFrom }) => selectFrom('kept').select('kept.run_id'))
    .returning(['run_id', 'started_at', 'preview', 'parent'])
    .execute()
  if (removed.length === 0) return removed
  const gone = removed.map(({ run_id }) => run_id)
  await transaction.deleteFrom('appends').where('run_id', 'in', gone).execute()
  await transaction.deleteFrom('inbox').where('run_id', 'in', gone).execute()
  await transaction.deleteFrom('run_usage').where('run_id', 'in', gone).execute()
  const words = removed.flatMap(({ run_id: runId, started_at: startedAt, preview }) =>
    toWordRows({ runId, scope, startedAt, preview: preview ?? '' }),
  )
  for (let from = 0; from < words.length; from += MAX_WORDS)
    await transaction
      .deleteFrom('run_words')
      .where(isOneOf(words.slice(from, from + MAX_WORDS)))
      .execute()
  return removed
}

function isOneOf(words: readonly RunWordRow[]) {
  const rows = words.map(row => sql`(${row.scope}, ${row.word}, cast(${row.started_at} as bigint), ${row.run_id})`)
  return sql<SqlBool>`(scope, word, started_at, run_id) in (values ${sql.join(rows)})`
}
