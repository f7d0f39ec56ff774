import { ParleyError, type Entry } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'

export interface ReadEntriesOptions {
  readonly runId: string
  readonly afterSeq: number
  /** Largest number of entries. @default all */
  readonly limit: number | undefined
  /** Name of the store, for errors. */
  readonly name: string
}

/**
 * Reads and checks a run's entries after `afterSeq`.
 * @throws ParleyError `store-corrupt`, with run and entry, if an entry is damaged, misplaced or missing.
 */
export async function readEntries(
  db: Kysely<StoreTables>,
  { runId, afterSeq, limit, name }: ReadEntriesOptions,
): Promise<readonly Entry[]> {
  // One statement, so that the run's count and its entries are from the same moment.
  const rows = await db
    .selectFrom('runs')
    .leftJoin('appends', join => join.onRef('appends.run_id', '=', 'runs.run_id').on('appends.seq', '>', afterSeq))
    .select(['runs.seq as atLeast', 'appends.seq', 'appends.entries'])
    .where('runs.run_id', '=', runId)
    .orderBy('appends.seq')
    // An append has one entry or more.
    .$if(limit !== undefined, query => query.limit(limit ?? 0))
    .execute()
  const [first] = rows
  if (first === undefined || (first.seq === null && first.atLeast <= afterSeq)) return []
  // Imported here, because loading zod takes long and a process that only writes does not need it.
  const { parseEntries } = await import('@parley/core/schema')
  const where = `${name}, run ${runId}`
  const entries: Entry[] = []
  let last = afterSeq
  for (const { seq, entries: text } of rows) {
    if (seq === null || text === null) break
    const appended = parseEntries(text, { where, last: seq })
    const next = last + 1
    // The first append may contain entries before `afterSeq`.
    const start = entries.length === 0 ? appended.findIndex(entry => entry.seq === next) : 0
    if (appended[start]?.seq !== next) corrupt(`${where}, entry ${next}`, 'it is missing')
    for (const entry of start === 0 ? appended : appended.slice(start)) entries.push(entry)
    last = seq
  }
  if (rows.length === limit) return entries.slice(0, limit)
  if (last < first.atLeast) {
    corrupt(`${where}, entry ${last + 1}`, `it is missing: the run has ${first.atLeast} entries`)
  }
  return limit === undefined ? entries : entries.slice(0, limit)
}

function corrupt(store: string, detail: string): never {
  throw new ParleyError({ code: 'store-corrupt', store, detail })
}
