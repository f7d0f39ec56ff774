import { sql, type Kysely } from 'kysely'
import type { StoreTables } from './store-tables.ts'

const KEPT = [
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
] as const

/** The rows of runs, as far as their journals have come. */
export function runRows(db: Kysely<StoreTables>) {
  return db
    .selectFrom('runs')
    .select(KEPT)
    .select(({ fn, ref, selectFrom }) => {
      const last = (column: 'appends.seq' | 'appends.at') =>
        selectFrom('appends')
          .select(column)
          .whereRef('appends.run_id', '=', 'runs.run_id')
          .orderBy('appends.seq', 'desc')
          .limit(sql.lit(1))
      return [
        fn.coalesce(last('appends.seq'), ref('runs.seq')).as('seq'),
        fn.coalesce(last('appends.at'), ref('runs.updated_at')).as('updated_at'),
      ]
    })
}
