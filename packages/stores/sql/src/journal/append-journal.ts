import { checkSessionHead, ParleyError, type JournalAppend } from '@parley/core'
import type { Kysely } from 'kysely'
import { journalQueries } from './journal-queries.ts'
import { addCounts } from './add-counts.ts'
import { addFacts } from './add-facts.ts'
import { planAppend, toAdvance, type AppendPlan } from './plan-append.ts'
import type { StoreTables } from '../tables/store-tables.ts'

/**
 * Writes an append in one transaction, on any database that kysely supports. If transactions may overlap, a backend
 * must lock the session for the first append of a run. Without the lock, two first appends would not see each other.
 */
export async function appendJournal(db: Kysely<StoreTables>, append: JournalAppend): Promise<void> {
  await db.transaction().execute(async transaction => {
    const before = await journalQueries.selectRun(transaction, { run_id: append.runId }, 'row').executeTakeFirst()
    const plan = planAppend(before, append)
    if (plan === undefined) return
    if (before === undefined && append.sessionHead !== undefined) {
      checkSessionHead(append, (await journalQueries.selectHead(transaction, plan.run).executeTakeFirst())?.run_id)
    }
    const written = await writeRun(transaction, append, plan)
    if (!written) {
      const now = await journalQueries.selectRun(transaction, { run_id: append.runId }, 'row').executeTakeFirst()
      planAppend(now, append)
      const { runId, expectedSeq } = append
      throw new ParleyError({ code: 'store-conflict', runId, expected: expectedSeq, actual: now?.seq ?? 0 })
    }
    await journalQueries.insertAppend(transaction, plan.append).execute()
    await addFacts(transaction, plan)
    await addCounts(transaction, append)
  })
}

/**
 * Updates the run's row.
 * @returns Whether the row was unchanged since it was read. If transactions overlap, the slower one finds it changed.
 */
async function writeRun(db: Kysely<StoreTables>, append: JournalAppend, { run, closes }: AppendPlan): Promise<boolean> {
  if (append.expectedSeq === 0) {
    const { numInsertedOrUpdatedRows = 0n } = await journalQueries.insertRun(db, run).executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows > 0n
  }
  const advance = toAdvance(run, append)
  const query = closes ? journalQueries.closeRun(db, advance) : journalQueries.advanceRun(db, advance)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows > 0n
}
