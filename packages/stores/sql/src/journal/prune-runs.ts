import { setTimeout as sleep } from 'node:timers/promises'
import type { PruneQuery } from '@parley/core'
import type { ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { RunRow, StoreTables } from '../tables/store-tables.ts'
import { pruneArtifacts } from './prune-artifacts.ts'
import { removeRuns, type RemovedRun } from './remove-runs.ts'

/** Removes a small number of rows in one transaction. Stops the call when its signal is aborted. */
export type PruneStep = <TResult>(step: () => Promise<TResult>) => Promise<TResult>

export interface PruneOptions {
  readonly query: PruneQuery
  readonly step: PruneStep
  /** Largest number of runs that one transaction removes. @default 50 */
  readonly batch?: number | undefined
}

/** A batch keeps the write lock of SQLite for some milliseconds, and other processes repeat their call after at most 25 ms. */
const PAUSE_MS = 10

/**
 * A run may end before it starts, if the clocks of its workers differ. With this bound an index finds the old runs: the start of a run
 * never changes, but its end does.
 */
const MAX_CLOCK_DIFFERENCE_MS = 86_400_000

/**
 * Removes old runs that have ended, in batches, so that other writers wait only for one batch. Keeps every run that a remaining run
 * descends from. A crash between two batches leaves a store in which some of the old runs are gone.
 * @returns Number of removed runs.
 */
export async function pruneRuns(db: Kysely<StoreTables>, { query, step, batch = 50 }: PruneOptions): Promise<number> {
  let count = 0
  let after: Position | undefined
  for (;;) {
    const last: Position | undefined = after
    // The newest first, because a run usually starts after the run that it descends from.
    const page = await step(() => oldRuns(db, query, { after: last, limit: batch }).execute())
    after = page.at(-1)
    if (after === undefined) break
    let ids = page.map(({ run_id }) => run_id)
    while (ids.length > 0) {
      const removed = await step(() => db.transaction().execute(rows => removeRuns(rows, query, ids)))
      count += removed.length
      ids = query.runId === undefined ? await step(() => skippedParents(db, removed, after)) : []
    }
    if (page.length < batch) break
    await sleep(PAUSE_MS)
  }
  await pruneArtifacts(db, { query, step })
  const { scope, before } = query
  await step(() => db.deleteFrom('quota_totals').where('scope', '=', scope).where('until', '<=', before).execute())
  await step(() => db.deleteFrom('workers').where('alive_until', '<', before).execute())
  return count
}

type Position = Pick<RunRow, 'started_at' | 'run_id'>

function oldRuns(
  db: Kysely<StoreTables>,
  { scope, before, runId }: PruneQuery,
  { after, limit }: { readonly after: Position | undefined; readonly limit: number },
) {
  let runs = db
    .selectFrom('runs')
    .select(['started_at', 'run_id'])
    .where('scope', '=', scope)
    .where('status', 'not in', ['running', 'suspended'])
    .where('updated_at', '<', before)
    .where('started_at', '<', before + MAX_CLOCK_DIFFERENCE_MS)
  if (runId !== undefined) runs = runs.where('run_id', '=', runId)
  if (after !== undefined) runs = runs.where(isOrdered(after, '<'))
  return runs.orderBy('started_at', 'desc').orderBy('run_id', 'desc').limit(limit)
}

/**
 * Finds the runs that this batch or an earlier one kept because of a run that is gone now. There are some only if a run started before the run that
 * it descends from, by the clocks of their workers.
 */
async function skippedParents(
  db: Kysely<StoreTables>,
  removed: readonly RemovedRun[],
  after: Position | undefined,
): Promise<string[]> {
  const parents = [...new Set(removed.flatMap(({ parent }) => parent ?? []))]
  if (parents.length === 0 || after === undefined) return []
  const rows = await db
    .selectFrom('runs')
    .select('run_id')
    .where('run_id', 'in', parents)
    .where(isOrdered(after, '>='))
    .execute()
  return rows.map(({ run_id }) => run_id)
}

function isOrdered({ started_at, run_id }: Position, operator: '<' | '>=') {
  return ({ refTuple, eb, tuple }: ExpressionBuilder<StoreTables, 'runs'>) =>
    eb(refTuple('started_at', 'run_id'), operator, tuple(started_at, run_id)).$castTo<SqlBool>()
}
