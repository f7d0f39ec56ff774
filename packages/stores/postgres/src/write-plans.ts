import type { JournalAppend } from '@parley/core'
import type { AppendPlan } from '@parley/store-sql'
import type { PreparedStatement, StoreConnection, StorePool } from './leave-replicas.ts'

/** An append and the rows that it writes. */
export interface PlannedAppend {
  readonly append: JournalAppend
  readonly plan: AppendPlan
}

const TEXT = 'text collate "C"'
const RUN_COLUMNS = {
  run_id: TEXT,
  session_id: TEXT,
  scope: TEXT,
  agent: TEXT,
  relation: TEXT,
  status: TEXT,
  seq: 'bigint',
  started_at: 'bigint',
  updated_at: 'bigint',
  worker: TEXT,
  fence: 'bigint',
  parent: TEXT,
  received: 'bigint',
  taken: 'bigint',
  model: TEXT,
  preview: TEXT,
  spent: TEXT,
} as const
const WORD_COLUMNS = {
  scope: TEXT,
  word: TEXT,
  started_at: 'bigint',
  run_id: TEXT,
  mark_a: 'bigint',
  mark_b: 'bigint',
} as const
const USAGE_COLUMNS = {
  run_id: TEXT,
  model: TEXT,
  scope: TEXT,
  agent: TEXT,
  ended_at: 'bigint',
  calls: 'bigint',
  input: 'bigint',
  output: 'bigint',
  reasoning: 'bigint',
  cache_read: 'bigint',
  cache_write: 'bigint',
  usd: 'double precision',
} as const

type Columns = Readonly<Record<string, string>>
const names = (columns: Columns): string => Object.keys(columns).join(', ')
/** The rows of a parameter, which is a JSON array. */
const rowsOf = (parameter: string, alias: string, columns: Columns): string =>
  `json_to_recordset(${parameter}::json) as ${alias}(${Object.entries(columns)
    .map(column => column.join(' '))
    .join(', ')})`

/** Inserts the words and the usage of the runs in `changed`. */
const FACTS = `
  worded as (insert into run_words (${names(WORD_COLUMNS)}) select ${names(WORD_COLUMNS)}
    from ${rowsOf('$2', 'w', WORD_COLUMNS)} where w.run_id in (select run_id from changed)),
  used as (insert into run_usage (${names(USAGE_COLUMNS)}) select ${names(USAGE_COLUMNS)}
    from ${rowsOf('$3', 'u', USAGE_COLUMNS)} where u.run_id in (select run_id from changed))`

/**
 * Largest numbers of runs of the statements that continue runs. PostgreSQL expects 100 rows of a JSON array, and would rather read a table of
 * some thousand runs to its end than look up 100 of them. A limit tells it how many runs there are at most.
 */
const LIMITS = [1, 10, 100]

/** Continues at most `limit` runs. Changes nothing of a run whose journal, claim or inbox is not the expected one. */
const advance = (limit: number | 'all'): PreparedStatement => ({
  name: `parley-advance-${limit}`,
  text: `with changed as (
    update runs set seq = g.seq, updated_at = g.updated_at, status = g.status, taken = g.taken, preview = g.preview, spent = g.spent
    from (select * from ${rowsOf('$1', 'given', { ...RUN_COLUMNS, expected_seq: 'bigint', closes: 'boolean', entries: 'text' })} limit ${limit}) as g
    where runs.run_id = g.run_id and runs.seq = g.expected_seq and runs.worker = g.worker and runs.fence = g.fence
      and (not g.closes or runs.received <= g.taken)
    returning g.run_id, g.seq, g.updated_at, g.entries),${FACTS}
  insert into appends (run_id, seq, at, entries) select run_id, seq, updated_at, entries from changed returning run_id`,
})

const ADVANCE_ALL = advance('all')
const ADVANCE = LIMITS.map(limit => ({ limit, statement: advance(limit) }))

function advanceFor(runs: number): PreparedStatement {
  return ADVANCE.find(({ limit }) => runs <= limit)?.statement ?? ADVANCE_ALL
}

/** Starts runs. Changes nothing of a run that exists, or whose session does not end with the expected run. */
const START = {
  name: 'parley-start',
  text: `with given as (
    select * from ${rowsOf('$1', 'g', { ...RUN_COLUMNS, has_head: 'boolean', head: TEXT, entries: 'text' })}),
  changed as (
    insert into runs (${names(RUN_COLUMNS)}) select ${names(RUN_COLUMNS)} from given
    where not has_head or head is not distinct from (
      select newest.run_id from runs as newest where newest.scope = given.scope and newest.session_id = given.session_id
      order by newest.started_at desc, newest.run_id desc limit 1)
    on conflict (run_id) do nothing returning run_id),${FACTS}
  insert into appends (run_id, seq, at, entries)
    select given.run_id, given.seq, given.updated_at, given.entries from given join changed using (run_id) returning run_id`,
}

/**
 * Locks sessions until the end of the transaction, in an order that is the same for all processes. `createAppend` takes the same lock for
 * a single run.
 */
const LOCK = {
  name: 'parley-lock',
  text: `select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(session, 0) as key from json_array_elements_text($1::json) as session order by key offset 0) as keys`,
}

/** Writes appends that continue runs, in one statement. @returns Those whose run was in the expected state. */
export async function advanceRuns(
  pool: StorePool,
  planned: readonly PlannedAppend[],
): Promise<ReadonlySet<PlannedAppend>> {
  const rows = planned.map(({ append, plan }) => ({
    ...plan.run,
    expected_seq: append.expectedSeq,
    closes: plan.closes,
    entries: plan.append.entries,
  }))
  const connection = await pool.connect()
  try {
    return written(
      planned,
      await connection.execute(advanceFor(rows.length), [JSON.stringify(rows), ...facts(planned)]),
    )
  } finally {
    connection.release()
  }
}

/** Writes appends that start runs, in one transaction. @returns Those whose run was new and whose session was in the expected state. */
export async function startRuns(
  pool: StorePool,
  planned: readonly PlannedAppend[],
): Promise<ReadonlySet<PlannedAppend>> {
  const rows = planned.map(({ append: { sessionHead }, plan }) => ({
    ...plan.run,
    has_head: sessionHead !== undefined,
    head: sessionHead ?? null,
    entries: plan.append.entries,
  }))
  const sessions = rows.flatMap(row => (row.has_head ? [`${row.scope}\u0001${row.session_id}`] : []))
  const start = async (connection: StoreConnection): Promise<ReadonlySet<PlannedAppend>> =>
    written(planned, await connection.execute(START, [JSON.stringify(rows), ...facts(planned)]))
  const connection = await pool.connect()
  let isBroken = true
  try {
    if (sessions.length > 0) {
      await connection.query('begin', [])
      // The statement that follows sees what the last holder of a lock has written.
      await connection.execute(LOCK, [JSON.stringify(sessions)])
    }
    const started = await start(connection)
    if (sessions.length > 0) await connection.query('commit', [])
    isBroken = false
    return started
  } finally {
    // The server rolls back when the connection closes.
    connection.release(isBroken)
  }
}

function facts(planned: readonly PlannedAppend[]): readonly string[] {
  return [planned.flatMap(({ plan }) => plan.words), planned.flatMap(({ plan }) => plan.usage)].map(rows =>
    JSON.stringify(rows),
  )
}

function written(planned: readonly PlannedAppend[], runIds: readonly string[]): ReadonlySet<PlannedAppend> {
  const kept = new Set(runIds)
  return new Set(planned.filter(({ append }) => kept.has(append.runId)))
}
