import { readFileSync } from 'node:fs'
import { markWords } from '../../../packages/stores/sql/src/journal/word-marks.ts'

/**
 * SQL that multiplies the rows of one recorded run. The rows of run `n` differ from the recorded ones by their ids, times, agent, status
 * and preview, so that tables and indexes have the sizes and the order of a store that has grown.
 */

/** Time between the starts of two runs, in milliseconds. */
export const EVERY_MS = 1_000
/** Start of run 0, in milliseconds since the epoch. */
export const SINCE = 1_700_000_000_000
export const AGENTS = 20
/** A session has this many runs, each of which continues the one before. */
export const SESSION_RUNS = 4
export const SCOPE = 'default'
/** Words of a preview. The first of them occurs in one of 20 runs, each other one in one of 3,000. */
const WORDS = 8

/** One run in a thousand has no driver, and another one waits for an approval. */
export const isRunning = n => n % 1_000 === 1
export const isSuspended = n => n % 1_000 === 2

/**
 * How a database writes the expressions.
 * @typedef {object} Dialect
 * @property {(expression: string) => string} hex  Twelve hexadecimal digits.
 * @property {(from: string, to: string, name: string) => string} series  A table of the numbers `from` to `to`, with the column `name`.
 * @property {(id: string) => Record<string, string>} appendKey  The key of the append `seq` of a run.
 */

/** @type {Dialect} */
export const SQLITE = {
  hex: expression => `printf('%012x', ${expression})`,
  appendKey: id => ({ id: `(select num from runs as kept where kept.run_id = ${id}) << 32 | seq` }),
  series: (from, to, name) =>
    `(with recursive numbers(${name}) as (select ${from} union all select ${name} + 1 from numbers where ${name} < ${to}) select ${name} from numbers)`,
}

/** @type {Dialect} */
export const POSTGRES = {
  hex: expression => `lpad(to_hex(${expression}), 12, '0')`,
  appendKey: id => ({ run_id: id, seq: 'seq' }),
  series: (from, to, name) => `(select ${name}::bigint as ${name} from generate_series(${from}, ${to}) as ${name})`,
}

/** Returns the id of run `n`, which is ordered by time as real ids are. */
export const runId = n => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
export const sessionId = n =>
  `01900000-0000-7000-9000-${Math.floor(n / SESSION_RUNS)
    .toString(16)
    .padStart(12, '0')}`
export const wordOf = (n, index) => (index === 0 ? `topic${n % 20}` : `w${(n * 7_919 + index * 4_729) % 20_000}`)

/**
 * Returns the statements that insert the runs from `from` to `to`, in the order of the tables' keys.
 * @param recorded Rows of one completed run, by table.
 */
export function seedStatements(dialect, recorded, { from, to }) {
  const { hex, series } = dialect
  const id = `'01900000-0000-7000-8000-' || ${hex('n')}`
  const startedAt = `${SINCE} + n * ${EVERY_MS}`
  const word = index => (index === 0 ? `'topic' || (n % 20)` : `'w' || ((n * 7919 + ${index} * 4729) % 20000)`)
  const preview = Array.from({ length: WORDS }, (_, index) => word(index)).join(` || ' ' || `)
  const runs = series(from, to, 'n')
  const unfinished = 'n % 1000 in (1, 2)'
  const last = recorded.appends.at(-1)
  const previous = recorded.appends.at(-2)
  const run = {
    ...literals(recorded.run),
    run_id: id,
    session_id: `'01900000-0000-7000-9000-' || ${hex(`n / ${SESSION_RUNS}`)}`,
    scope: `'${SCOPE}'`,
    agent: `'agent-' || (n % ${AGENTS})`,
    relation: `case n % ${SESSION_RUNS} when 0 then 'initial' else 'continue' end`,
    parent: `case n % ${SESSION_RUNS} when 0 then null else '01900000-0000-7000-8000-' || ${hex('n - 1')} end`,
    status: `case when n % 1000 = 1 then 'running' when n % 1000 = 2 then 'suspended' when n % 20 = 7 then 'failed' else 'completed' end`,
    seq: `case when ${unfinished} then ${previous.seq} else ${last.seq} end`,
    started_at: startedAt,
    updated_at: `${startedAt} + 900`,
    preview,
    spent: `case when ${unfinished} then null else ${quote(recorded.run.spent)} end`,
  }
  const usage = {
    ...literals(recorded.usage[0]),
    run_id: id,
    scope: `'${SCOPE}'`,
    agent: run.agent,
    ended_at: run.updated_at,
  }
  const words = series(0, WORDS - 1, 'k')
  const marks = mark =>
    Array.from({ length: WORDS }, (_, index) => `(select ${mark} from bench_marks where word = ${word(index)})`)
  const marked = `with marked as materialized (select n, ${marks('mark_a').join(' | ')} as mark_a, ${marks('mark_b').join(' | ')} as mark_b from ${runs} as runs)`
  return [
    insert('runs', run, { source: `${runs} as runs where true` }),
    ...appendStatements(dialect, recorded, { runs, id, startedAt, unfinished }),
    insert(
      'run_words',
      {
        scope: `'${SCOPE}'`,
        word: `case k when 0 then ${word(0)} else ${word('k')} end`,
        started_at: startedAt,
        run_id: id,
        mark_a: 'mark_a',
        mark_b: 'mark_b',
      },
      { before: marked, source: `marked cross join ${words} as words where true`, order: 'order by 2, 3' },
    ),
    insert('run_usage', usage, { source: `${runs} as runs where not ${unfinished}` }),
  ]
}

/** Returns the statements that create the table in which the others find the marks of each word. */
export function markStatements() {
  const words = new Set(Array.from({ length: 20_000 }, (_, n) => [`topic${n % 20}`, `w${n}`]).flat())
  const rows = [...words].map(word => {
    const { mark_a: a, mark_b: b } = markWords([word])
    return `(${quote(word)}, ${a}, ${b})`
  })
  return [
    'create table if not exists bench_marks (word text primary key, mark_a bigint not null, mark_b bigint not null)',
    `insert into bench_marks values ${rows.join(', ')} on conflict do nothing`,
  ]
}

function appendStatements(dialect, { appends }, { runs, id, startedAt, unfinished }) {
  const rows = appends.map(
    ({ seq, entries }, index) => `select ${index} as k, ${seq} as seq, ${quote(entries)} as entries`,
  )
  const row = { ...dialect.appendKey(id), at: `${startedAt} + 90 * k`, entries: 'entries' }
  const source = `${runs} as runs cross join (${rows.join(' union all ')}) as rows where k < ${appends.length - 1} or not ${unfinished}`
  return [insert('appends', row, { source, order: 'order by n, k' })]
}

function insert(table, row, { before = '', source, order = '' }) {
  return `insert into ${table} (${Object.keys(row).join(', ')}) ${before} select ${Object.values(row).join(', ')} from ${source} ${order} on conflict do nothing`
}

const literals = row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, quote(value)]))
const quote = value =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** Reads the rows of the recorded run. */
export const readRecorded = file => JSON.parse(readFileSync(file, 'utf8'))
