import { ParleyError, type Entry } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from './store-tables.ts'

export interface ReadEntriesOptions {
  readonly runId: string
  readonly afterSeq: number
  /** The store, for errors. */
  readonly name: string
}

/**
 * A run's entries after `afterSeq`, each checked.
 * @throws ParleyError `store-corrupt` naming run and entry when one is damaged, out of place or missing.
 */
export async function readEntries(
  db: Kysely<StoreTables>,
  { runId, afterSeq, name }: ReadEntriesOptions,
): Promise<readonly Entry[]> {
  // One statement, so that the run's count and its entries are of the same moment.
  const rows = await db
    .selectFrom('runs')
    .leftJoin('entries', join => join.onRef('entries.run_id', '=', 'runs.run_id').on('entries.seq', '>', afterSeq))
    .select(['runs.seq as total', 'entries.seq', 'entries.entry'])
    .where('runs.run_id', '=', runId)
    .orderBy('entries.seq')
    .execute()
  const total = rows[0]?.total ?? 0
  if (total <= afterSeq) return []
  // Only here, because zod is the slowest part of a start, and a run that is merely written needs none.
  const { parseEntry } = await import('@parley/core/schema')
  const entries: Entry[] = []
  for (const { seq, entry: text } of rows) {
    const expected = afterSeq + entries.length + 1
    const where = `${name}, run ${runId}, entry ${expected}`
    if (seq !== expected || text === null) corrupt(where, 'it is missing')
    const entry = parseEntry(text, where)
    if (entry.seq !== seq) corrupt(where, `it carries the number ${entry.seq}`)
    entries.push(entry)
  }
  const last = afterSeq + entries.length
  if (last !== total)
    corrupt(`${name}, run ${runId}, entry ${Math.min(last, total) + 1}`, `the run has ${total} entries, not ${last}`)
  return entries
}

function corrupt(store: string, detail: string): never {
  throw new ParleyError({ code: 'store-corrupt', store, detail })
}
