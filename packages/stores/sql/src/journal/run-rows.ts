import type { RunRecord } from '@parley/core'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { RunRow, StoreTables } from '../tables/store-tables.ts'
import { APPENDS_BY_RUN_ID, type AppendKeys } from './append-keys.ts'

const COLUMNS = [
  'runs.run_id',
  'runs.session_id',
  'runs.scope',
  'runs.agent',
  'runs.relation',
  'runs.status',
  'runs.started_at',
  'runs.worker',
  'runs.fence',
  'runs.parent',
  'runs.received',
  'runs.taken',
  'runs.model',
  'runs.preview',
  'runs.spent',
] as const

/** Where the newest `seq` and `updated_at` of a run are: in its row, or in its last append. */
export type RunProgress = 'row' | AppendKeys

/** Selects the rows of runs. */
export function runRows(db: Kysely<StoreTables>, progress: RunProgress = APPENDS_BY_RUN_ID) {
  return db
    .selectFrom('runs')
    .select(COLUMNS)
    .select(({ fn, ref, selectFrom }) => {
      if (progress === 'row') return [ref('runs.seq').as('seq'), ref('runs.updated_at').as('updated_at')]
      const last = (column: RawBuilder<number>) =>
        selectFrom('appends')
          .select(column.as('last'))
          .where(progress.follow(sql.lit(0)))
          .orderBy(progress.order, 'desc')
          .limit(sql.lit(1))
      return [
        fn.coalesce(last(progress.seq), ref('runs.seq')).as('seq'),
        fn.coalesce(last(sql`appends.at`), ref('runs.updated_at')).as('updated_at'),
      ]
    })
}

/** Converts a run's row to its record. */
export function toRunRecord(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    sessionId: row.session_id,
    scope: row.scope,
    agent: row.agent,
    relation: row.relation,
    ...(row.parent === null ? {} : { parent: row.parent }),
    ...(row.model === null ? {} : { model: row.model }),
    status: row.status,
    ...(row.preview === null ? {} : { preview: row.preview }),
    ...(row.spent === null ? {} : (JSON.parse(row.spent) as Pick<RunRecord, 'usage' | 'cost'>)),
    seq: row.seq,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
  }
}

/** Returns the column with what an ended run used. */
export function toSpentColumn({ usage, cost }: RunRecord): string | null {
  return usage === undefined ? null : JSON.stringify({ usage, cost })
}

/** Returns a name for a text column. PostgreSQL has no text with the character U+0000 or half of a surrogate pair. */
export function toColumnText(name: string | undefined): string | null {
  return name?.toWellFormed().replaceAll('\0', '\uFFFD') ?? null
}
