import { ParleyError, type Entry } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'
import type { AppendKeys } from './append-keys.ts'

export interface ReadEntriesOptions {
  readonly runId: string
  readonly afterSeq: number
  /** Largest number of entries in the result. */
  readonly limit: number
  /** Name of the store, for errors. */
  readonly name: string
  readonly keys: AppendKeys
}

/**
 * Reads and checks a run's entries after `afterSeq`, at most `limit`.
 * @throws ParleyError `store-corrupt`, with run and entry, if an entry is damaged, misplaced or missing.
 */
export async function readEntries(
  db: Kysely<StoreTables>,
  { runId, afterSeq, limit, name, keys }: ReadEntriesOptions,
): Promise<readonly Entry[]> {
  // One statement, so that the run's count and its entries are from the same moment.
  const rows = await db
    .selectFrom('runs')
    .leftJoin('appends', join => join.on(keys.follow(afterSeq)))
    .select(['runs.seq as atLeast', keys.seq.$castTo<number | null>().as('seq'), 'appends.entries'])
    .where('runs.run_id', '=', runId)
    .orderBy(keys.order)
    // Each append has at least one entry.
    .$if(limit !== Infinity, query => query.limit(limit))
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
    // The rest of the rows is not parsed.
    if (entries.length >= limit) break
  }
  if (entries.length >= limit) return entries.slice(0, limit)
  if (last < first.atLeast) {
    corrupt(`${where}, entry ${last + 1}`, `it is missing: the run has ${first.atLeast} entries`)
  }
  return entries
}

function corrupt(store: string, detail: string): never {
  throw new ParleyError({ code: 'store-corrupt', store, detail })
}
