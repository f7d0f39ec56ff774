import { sql, type RawBuilder, type SqlBool } from 'kysely'

/** How a database finds the appends of a run: SQL about the tables `runs` and `appends`. */
export interface AppendKeys {
  /** True for those appends of the row of `runs` that have entries after `afterSeq`. */
  readonly follow: (afterSeq: number | RawBuilder<number>) => RawBuilder<SqlBool>
  /** By what the appends of a run are ordered. */
  readonly order: RawBuilder<unknown>
  /** Number of the last entry of an append. */
  readonly seq: RawBuilder<number>
  /** Whether the database removes the appends of a run together with the row of the run. */
  readonly cascade: boolean
}

/** The appends have the id of their run. */
export const APPENDS_BY_RUN_ID: AppendKeys = {
  follow: afterSeq => sql`appends.run_id = runs.run_id and appends.seq > ${afterSeq}`,
  order: sql`appends.seq`,
  seq: sql`appends.seq`,
  cascade: false,
}
