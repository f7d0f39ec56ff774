import { checkSessionHead, ParleyError, type JournalAppend } from '@parley/core'
import {
  addCounts,
  addFacts,
  journalQueries,
  planAppend,
  toAdvance,
  type AppendPlan,
  type RunRow,
  type StoreTables,
} from '@parley/store-sql'
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
  const startsSession = append.expectedSeq === 0 && append.sessionHead !== undefined
  const hasFacts = plan.words.length > 0 || plan.usage.length > 0
  // One statement needs no transaction around it.
  if (!startsSession && !hasFacts && append.counts === undefined)
    return addAppend(db, updateRun(db, append, plan), plan)
  return db.transaction().execute(async transaction => {
    if (startsSession && !(await lockSession(transaction, append, plan))) return false
    if (!(await addAppend(transaction, updateRun(transaction, append, plan), plan))) return false
    await addFacts(transaction, plan)
    await addCounts(transaction, append)
    return true
  })
}

/** The statement that writes the run's row, and returns a row only if the run was unchanged. */
function updateRun(db: Kysely<StoreTables>, append: JournalAppend, { run, closes }: AppendPlan): OperationNodeSource {
  if (append.expectedSeq === 0) return journalQueries.insertRun(db, run).returning('run_id')
  const advance = toAdvance(run, append)
  const query = closes ? journalQueries.closeRun(db, advance) : journalQueries.advanceRun(db, advance)
  return query.returning('run_id')
}

/**
 * Locks the session of a new run until the end of the transaction. Checks that the session's newest run is the one that the append
 * expects.
 * @returns Whether the run is new. If the store already has the run, the append is a conflict.
 * @throws ParleyError `session-busy` if another run is the newest.
 */
async function lockSession(db: Kysely<StoreTables>, append: JournalAppend, { run }: AppendPlan): Promise<boolean> {
  const { scope, session_id } = run
  // The second of two concurrent first appends of a session must see the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${scope} || chr(1) || ${session_id}, 0))`.execute(db)
  const head = await journalQueries.selectHead(db, run).executeTakeFirst()
  // An existing run is a conflict, which is reported before session-busy.
  const known = await journalQueries.selectRun(db, run).executeTakeFirst()
  if (known !== undefined) return false
  checkSessionHead(append, head?.run_id)
  return true
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
