import { checkRuns, type JournalAppend, type QuotaCount } from '@parley/core'
import type { Kysely } from 'kysely'
import type { QuotaTotalRow, StoreTables } from '../tables/store-tables.ts'
import { journalQueries } from './journal-queries.ts'

/**
 * Adds the counts of an append to the totals, in the transaction of its entries.
 * @throws ParleyError `quota-exceeded`. The transaction must then be rolled back.
 */
export async function addCounts(transaction: Kysely<StoreTables>, { counts = [] }: JournalAppend): Promise<void> {
  // Overlapping transactions lock the rows in the same order, so that they cannot wait for each other.
  const ordered = counts.toSorted((a, b) => compare(a.owner, b.owner) || a.since - b.since || a.until - b.until)
  for (const count of ordered) {
    const { runs } = await journalQueries.addCount(transaction, toQuotaRow(count)).executeTakeFirstOrThrow()
    checkRuns(count, runs)
  }
}

/** Converts a count to a row of the table of quota totals. */
export function toQuotaRow({ scope, owner, since, until, runs, tokens, cost }: QuotaCount): QuotaTotalRow {
  return { scope, owner, since, until, runs, tokens, cost }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
