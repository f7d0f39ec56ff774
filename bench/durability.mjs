// Measures the cost of the journal on SQLite with synchronous=NORMAL. Compares three workloads, interleaved in one process:
// a journaled loop of 10 turns, the same rows written without the engine, and one raw insert of 2 KB for each turn.
//   node bench/durability.mjs [SECONDS]
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const TURNS = 10
const ROUND_MS = 20
const seconds = Number(process.argv[2] ?? 20)
const packages = path.join(import.meta.dirname, '../packages')
const load = name => import(pathToFileURL(path.join(packages, name, 'dist/index.js')).href)
const { createRuntime, defineAgent } = await load('engine')
const { openSqliteStore } = await load('stores/sqlite')
const Database = createRequire(path.join(packages, 'stores/sqlite/package.json'))('better-sqlite3')
const folder = mkdtempSync(path.join(process.env.BENCH_DATA ?? tmpdir(), 'parley-durability-'))

const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
const model = {
  provider: 'memory',
  id: 'script',
  info: { contextWindow: 10_000_000 },
  async *stream({ messages }) {
    const turn = messages.filter(({ role }) => role === 'assistant').length
    if (turn < TURNS - 1) {
      yield { type: 'tool-call', callId: `call_${turn}`, name: 'add', arguments: '{"a":1,"b":2}' }
    } else yield { type: 'text.delta', text: 'The sum is three.' }
    yield { type: 'usage', usage }
    yield { type: 'finish', reason: turn < TURNS - 1 ? 'tool-calls' : 'stop' }
  },
}
const add = {
  name: 'add',
  description: 'Adds two integers and returns the sum.',
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute: ({ a, b }) => a + b,
}

function loop(store, name) {
  const runtime = createRuntime({ store, agents: [defineAgent({ name: 'bench', model, tools: [add] })] })
  let runs = 0
  return async () => {
    const { status, turns } = await runtime.invoke(
      'bench',
      'go',
      store === undefined ? {} : { sessionId: `${name}-${++runs}` },
    )
    if (status !== 'completed' || turns !== TURNS) throw new Error(`the loop ended as ${status} after ${turns} turns`)
  }
}

function openBare(name) {
  const database = new Database(path.join(folder, name))
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = normal')
  return database
}

/** Inserts the rows that the store wrote for one run, with one transaction for each append. */
function sameRows(kept) {
  const bare = openBare('bare.db')
  const tables = kept.prepare("select sql from sqlite_master where tbl_name in ('runs', 'appends') and sql is not null")
  for (const { sql } of tables.all()) bare.exec(sql)
  const [run] = kept.prepare('select * from runs order by started_at desc limit 1').all()
  const appends = kept
    .prepare('select id & 4294967295 as seq, at, entries from appends where id >> 32 = ? order by id')
    .all(run.num)
  const slots = row =>
    Object.keys(row)
      .map(() => '?')
      .join(', ')
  const insertRun = bare.prepare(`insert into runs values (${slots(run)})`)
  const insertAppend = bare.prepare(
    'insert into appends values ((select num from runs where run_id = ?) << 32 | ?, ?, ?)',
  )
  const end = bare.prepare('update runs set seq = ?, updated_at = ?, status = ? where run_id = ?')
  const step = bare.transaction((append, id) => {
    if (append === appends[0])
      insertRun.run(Object.values({ ...run, num: null, run_id: id, session_id: id, status: 'running' }))
    else if (append === appends.at(-1)) end.run(append.seq, append.at, run.status, id)
    insertAppend.run(id, append.seq, append.at, append.entries)
  }).immediate
  const tail = run.run_id.slice(-12)
  let runs = 0
  return () => {
    const id = run.run_id.slice(0, -12) + String(++runs).padStart(tail.length, '0')
    for (const append of appends) step(append, id)
  }
}

function rawInsert() {
  const database = openBare('raw.db')
  database.exec('create table turns (session text, turn integer, body text, primary key (session, turn)) without rowid')
  const put = database.prepare('insert into turns values (?, ?, ?)')
  const body = 'x'.repeat(2_048)
  let runs = 0
  return () => {
    const session = `s${++runs}`
    for (let turn = 0; turn < TURNS; turn++) put.run(session, turn, body)
  }
}

const file = path.join(folder, 'parley.db')
const store = await openSqliteStore({ path: file })
await loop(store, 'first')()
const kept = new Database(file, { readonly: true })
const appends = kept.prepare('select count(*) from appends').pluck().get()
const sides = {
  'one raw insert of 2 KB a turn': rawInsert(),
  'the same rows, written bare': sameRows(kept),
  'the loop without a store': loop(),
  'the journaled loop': loop(store, 'kept'),
}

const walls = new Map(Object.keys(sides).map(name => [name, []]))
for (const once of Object.values(sides)) for (let round = 0; round < 200; round++) await once()
for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
  for (const [name, once] of Object.entries(sides)) {
    for (const end = performance.now() + ROUND_MS; performance.now() < end;) {
      const startedAt = performance.now()
      await once()
      walls.get(name).push(performance.now() - startedAt)
    }
  }
}
await store[Symbol.asyncDispose]()
rmSync(folder, { recursive: true, force: true })

const perTurn = name => {
  const sorted = walls.get(name).toSorted((a, b) => a - b)
  return (sorted[sorted.length >> 1] * 1_000) / TURNS
}
for (const name of walls.keys())
  console.log(`${name.padEnd(30)} ${perTurn(name).toFixed(1).padStart(6)} µs per turn, median`)
const [raw, bare, unkept, journaled] = [...walls.keys()].map(perTurn)
console.log(`the journaled loop takes ${(journaled / raw).toFixed(2)} raw inserts; ${appends} appends a run`)
console.log(
  `and ${(journaled / bare).toFixed(2)} times the cost of its rows; keeping the run adds ${((journaled - unkept) / bare).toFixed(2)} times`,
)
