import { checkSessionHead, ParleyError, type JournalAppend } from '@parley/core'
import { journalQueries, planAppend, type AppendPlan, type RunRow, type StoreTables } from '@parley/store-sql'
import { sql, type Kysely, type OperationNodeSource } from 'kysely'

/**
 * Creates the append function. It reads the run, then updates it and inserts the entries in one statement. If the
 * connection broke before the response, `attempt` repeats the call with the same append. The function then finds the
 * entries and does not write them twice.
 */
export function createAppend(db: Kysely<StoreTables>): (append: JournalAppend) => Promise<void> {
  const unanswered = new WeakSet<JournalAppend>()

  async function write(append: JournalAppend): Promise<void> {
    const isRepeated = unanswered.has(append)
    const before = await journalQueries.selectRun(db, { run_id: append.runId }).executeTakeFirst()
    if (isRepeated && (await isKept(db, before, append))) return
    const plan = planAppend(before, append)
    if (plan === undefined) return
    if (await writePlan(db, append, plan)) return
    const now = await journalQueries.selectRun(db, { run_id: append.runId }).executeTakeFirst()
    // The interrupted statement may have been executed only now.
    if (isRepeated && (await isKept(db, now, append))) return
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

/** Writes the rows of a plan. @returns Whether the run was unchanged since it was read. */
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
    // The second of two concurrent first appends of a session must see the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${scope} || chr(1) || ${session_id}, 0))`.execute(
      transaction,
    )
    const head = await journalQueries.selectHead(transaction, plan.run).executeTakeFirst()
    // An existing run is a conflict, which is reported before session-busy.
    const known = await journalQueries.selectRun(transaction, plan.run).executeTakeFirst()
    if (known !== undefined) return false
    checkSessionHead(append, head?.run_id)
    return addAppend(transaction, journalQueries.insertRun(transaction, plan.run).returning('run_id'), plan)
  })
}

/** Writes the run's row and its entries in one statement, so that neither exists without the other. */
async function addAppend(
  db: Kysely<StoreTables>,
  update: OperationNodeSource,
  { append: { seq, at, entries } }: AppendPlan,
): Promise<boolean> {
  const { rows } = await sql<{ run_id: string }>`with updated as (${update}) insert into appends
    select updated.run_id, ${seq}::bigint, ${at}::bigint, ${entries}::text from updated
    returning run_id`.execute(db)
  return rows.length > 0
}

/** Whether an append whose response was lost is the last one in the journal. */
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
