import type { RunQuery } from '@parley/core'
import {
  countWordQuery,
  listRunsQuery,
  planList,
  wordsToCount,
  type CountedWord,
  type ListValues,
  type RunRow,
  type StoreTables,
} from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { SQLITE_KEYS } from './append-keys.ts'
import { prepareQuery, type PreparedQuery } from './prepare-query.ts'

/**
 * Lists runs by statements that are prepared when they are first needed. Each run of a session lists the last run of the
 * session, and compiling the query takes longer than running it (bench: tricks listed-prepared).
 */
export function createListRows(database: Database, db: Kysely<StoreTables>): (query: RunQuery) => readonly RunRow[] {
  const prepared = new Map<string, PreparedQuery<ListValues, RunRow>>()
  const count = prepareQuery(database, ['scope', 'word'], slots => countWordQuery(db, slots))
  return query => {
    const { scope } = query
    const counted = wordsToCount(query).map((word): CountedWord => [word, count.get({ scope, word })?.runs ?? 0])
    const { shape, values } = planList(query, counted)
    const names = Object.keys(values)
    const key = `${shape.from} ${shape.words} ${shape.fields.join()} ${shape.narrowest}`
    let statement = prepared.get(key)
    if (statement === undefined) {
      statement = prepareQuery<ListValues, RunRow>(database, names, slots =>
        listRunsQuery(db, { ...shape, lacksStatistics: true, progress: SQLITE_KEYS }, slots),
      )
      prepared.set(key, statement)
    }
    return statement.all(values)
  }
}
