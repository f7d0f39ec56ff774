import { checkSessionHead, ParleyError, type JournalAppend } from '@parley/core'
import { journalQueries, planAppend, type AppendPlan, type RunRow, type StoreTables } from '@parley/store-sql'
import { sql, type Kysely, type OperationNodeSource } from 'kysely'

/**
 * Writes one append: a look at the run, then one statement that moves it on and adds its entries, or does neither. What
 * comes again because its connection broke before the answer is found to be there, and is not written twice.
 */
export function createAppend(db: Kysely<StoreTables>): (append: JournalAppend) => Promise<void> {
  const unanswered = new WeakSet<JournalAppend>()

  async function write(append: JournalAppend): Promise<void> {
    const again = unanswered.has(append)
    const before = await journalQueries.selectRun(db, { run_id: append.runId }).executeTakeFirst()
    if (again && (await isKept(db, before, append))) return
    const plan = planAppend(before, append)
    if (plan === undefined) return
    if (await writePlan(db, append, plan)) return
    const now = await journalQueries.selectRun(db, { run_id: append.runId }).executeTakeFirst()
    // What broke off may have been written only now.
    if (again && (await isKept(db, now, append))) return
    planAppend(now, append)
    const { runId, expectedSeq: expected } = append
    throw new ParleyError({ code: 'store-conflict', runId, expected, actual: now?.seq ?? 0 })
  }

  return async append => {
    try {
      await write(append)
    } catch (error) {
      if (!ParleyError.is(error)) unanswered.add(append)
      throw error
    }
  }
}

/** Whether the run was still as it was read. */
async function writePlan(db: Kysely<StoreTables>, append: JournalAppend, plan: AppendPlan): Promise<boolean> {
  const { expectedSeq, sessionHead } = append
  if (expectedSeq > 0) {
    const { run_id, worker, fence, seq, updated_at, status, taken } = plan.run
    const advance = { run_id, worker, fence, seq, updated_at, status, taken, expected_seq: expectedSeq }
    const query = plan.closes ? journalQueries.closeRun(db, advance) : journalQueries.advanceRun(db, advance)
    return addAppend(db, query.returning('run_id'), plan)
  }
  if (sessionHead === undefined) return addAppend(db, journalQueries.insertRun(db, plan.run).returning('run_id'), plan)
  return db.transaction().execute(async transaction => {
    const { scope, session_id } = plan.run
    // Of two beginnings of one session the second has to see the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${scope} || chr(1) || ${session_id}, 0))`.execute(
      transaction,
    )
    const head = await journalQueries.selectHead(transaction, plan.run).executeTakeFirst()
    // A run that exists is a conflict of its own, which comes first.
    const known = await journalQueries.selectRun(transaction, plan.run).executeTakeFirst()
    if (known !== undefined) return false
    checkSessionHead(append, head?.run_id)
    return addAppend(transaction, journalQueries.insertRun(transaction, plan.run).returning('run_id'), plan)
  })
}

/** One statement: no entry without its run's row, no row without its entries. */
async function addAppend(
  db: Kysely<StoreTables>,
  moving: OperationNodeSource,
  { append: { seq, at, entries } }: AppendPlan,
): Promise<boolean> {
  const { rows } = await sql<{ run_id: string }>`with moved as (${moving}) insert into appends
    select moved.run_id, ${seq}::bigint, ${at}::bigint, ${entries}::text from moved
    returning run_id`.execute(db)
  return rows.length > 0
}

/** Whether an append whose answer was lost is in the journal, as its last. */
async function isKept(
  db: Kysely<StoreTables>,
  run: RunRow | undefined,
  { runId, expectedSeq, worker, fence, entries }: JournalAppend,
): Promise<boolean> {
  const last = entries.at(-1)
  if (run === undefined || last === undefined) return false
  if (run.worker !== worker || run.fence !== fence || run.seq !== expectedSeq + entries.length) return false
  const found = db.selectFrom('appends').select('entries').where('run_id', '=', runId).where('seq', '=', last.seq)
  return (await found.executeTakeFirst())?.entries === JSON.stringify(entries)
}
