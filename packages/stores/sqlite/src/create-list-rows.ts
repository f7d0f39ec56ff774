import type { RunQuery } from '@parley/core'
import { listRunsQuery, type RunRow, type StoreTables } from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { prepareQuery, type PreparedQuery } from './prepare-query.ts'

const FIELDS = [
  'scope',
  'sessionId',
  'status',
  'agent',
  'relation',
  'parent',
  'limit',
] as const satisfies (keyof RunQuery)[]

/**
 * Lists runs by statements that are prepared when they are first needed. Each run of a session lists the last run of the
 * session, and compiling the query takes longer than running it (bench: tricks listed-prepared).
 */
export function createListRows(database: Database, db: Kysely<StoreTables>): (query: RunQuery) => readonly RunRow[] {
  const prepared = new Map<string, PreparedQuery<Required<RunQuery>, RunRow>>()
  return ({ limit = 100, ...given }) => {
    const query = { ...given, limit }
    const names = FIELDS.filter(name => query[name] !== undefined)
    const key = names.join()
    let statement = prepared.get(key)
    if (statement === undefined) {
      statement = prepareQuery<Required<RunQuery>, RunRow>(database, names, slots => listRunsQuery(db, slots))
      prepared.set(key, statement)
    }
    return statement.all(query as Required<RunQuery>)
  }
}
