import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'
import { journalQueries } from './journal-queries.ts'
import type { AppendPlan } from './plan-append.ts'

/** Adds what lists and reports need of an append, in the transaction of its entries: words of a preview, usage of an ended run. */
export async function addFacts(transaction: Kysely<StoreTables>, { words, usage }: AppendPlan): Promise<void> {
  if (words.length > 0) await journalQueries.insertWord(transaction, words).execute()
  if (usage.length > 0) await journalQueries.insertUsage(transaction, usage).execute()
}
