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
import { createGroup } from './create-group.ts'
import { KnownRuns } from './known-runs.ts'
import type { StorePool } from './leave-replicas.ts'
import { isTemporary } from './to-store-error.ts'
import { advanceRuns, startRuns, type PlannedAppend } from './write-plans.ts'

/** Largest number of statements with grouped appends at the same time. */
const GROUPS = 2

/**
 * Creates the append function. Appends of concurrent runs share one statement, so that they also share its round trip and its commit. An
 * append that the shared statement did not write is written alone, which finds out why.
 *
 * If the connection broke before the response, `attempt` repeats the call with the same append. The function then reads the run, finds the
 * entries and does not write them twice.
 */
export function createAppend(db: Kysely<StoreTables>, pool: StorePool): (append: JournalAppend) => Promise<void> {
  const unanswered = new WeakSet<JournalAppend>()
  const known = new KnownRuns()
  const sizeOf = ({ plan }: PlannedAppend): number => plan.append.entries.length
  const advance = createGroup<PlannedAppend>({
    keysOf: ({ append }) => [append.runId],
    sizeOf,
    write: planned => advanceRuns(pool, planned),
    width: GROUPS,
  })
  const start = createGroup<PlannedAppend>({
    // The second of two runs of a session must see the first.
    keysOf: ({ append, plan: { run } }) => [append.runId, `${run.scope}\u0001${run.session_id}`],
    sizeOf,
    write: planned => startRuns(pool, planned),
    width: GROUPS,
  })

  async function writeGrouped(append: JournalAppend): Promise<boolean> {
    // A total that is exceeded undoes the whole transaction.
    if (append.counts !== undefined || append.entries.length === 0) return false
    const isFirst = append.expectedSeq === 0
    const before = isFirst ? undefined : (known.find(append) ?? (await selectRun(append)))
    const plan = planned(before, append)
    if (plan === undefined || !(await (isFirst ? start : advance)({ append, plan }))) return false
    known.keep(plan.run)
    return true
  }

  async function writeAlone(append: JournalAppend): Promise<void> {
    const isRepeated = unanswered.has(append)
    const before = await selectRun(append)
    if (isRepeated && (await isKept(db, before, append))) return
    const plan = planAppend(before, append)
    if (plan === undefined) return
    if (await writePlan(db, append, plan)) return known.keep(plan.run)
    const now = await selectRun(append)
    // The interrupted statement may have been executed only now.
    if (isRepeated && (await isKept(db, now, append))) return
    planAppend(now, append)
    const { runId, expectedSeq: expected } = append
    throw new ParleyError({ code: 'store-conflict', runId, expected, actual: now?.seq ?? 0 })
  }

  /** @returns `undefined` if nothing is written, or if only the row of the run says which error applies. */
  function planned(before: RunRow | undefined, append: JournalAppend): AppendPlan | undefined {
    try {
      return planAppend(before, append)
    } catch (error) {
      if (before !== undefined) throw error
      return undefined
    }
  }

  const selectRun = ({ runId }: JournalAppend): Promise<RunRow | undefined> =>
    journalQueries.selectRun(db, { run_id: runId }).executeTakeFirst()

  return async append => {
    try {
      if (unanswered.has(append) || !(await writeGrouped(append))) await writeAlone(append)
    } catch (error) {
      known.forget(append.runId)
      if (ParleyError.is(error)) throw error
      const wasGrouped = !unanswered.has(append)
      unanswered.add(append)
      // The statement may have failed because of another append in it.
      if (wasGrouped && !isTemporary(error)) return writeAlone(append)
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
