// Measures lists of runs on a large store: every filter, alone and with others, and pages far from the beginning.
//   node --conditions=@parley/source bench/run-lists.mjs [--runs 1000000] [--store sqlite|postgres] [--samples 200]
// Exits with 1 if the 99th percentile of a filter exceeds 20 ms.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    store: { type: 'string', default: 'sqlite' },
    samples: { type: 'string', default: '200' },
  },
})
const RUNS = Number(values.runs)
const SAMPLES = Number(values.samples)
const MAX_MS = 20
const START = 1_700_000_000_000
const AGENTS = 20
const VOCABULARY = 20_000

/** A generator of numbers in [0, 1) that is the same in every run (mulberry32). */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const random = createRandom(1)
const skewed = count => Math.floor(count * random() ** 3)
const wordAt = index => `w${index.toString(36)}`
const runIdAt = index => `run-${String(index).padStart(8, '0')}`

function runAt(index) {
  const chance = random()
  const status =
    chance < 0.9
      ? 'completed'
      : chance < 0.95
        ? 'failed'
        : chance < 0.98
          ? 'cancelled'
          : chance < 0.999
            ? 'suspended'
            : 'running'
  const kind = random()
  const relation =
    kind < 0.4 ? 'initial' : kind < 0.7 ? 'continue' : kind < 0.97 ? 'sub-agent' : kind < 0.99 ? 'rerun' : 'branch'
  const words = Array.from({ length: 8 }, () => wordAt(skewed(VOCABULARY)))
  return {
    run_id: runIdAt(index),
    session_id: `session-${Math.floor(index / 4)}`,
    scope: 'default',
    agent: `agent-${skewed(AGENTS)}`,
    relation,
    status,
    seq: 9,
    started_at: START + index * 1_000 + Math.floor(random() * 500),
    updated_at: START + index * 1_000 + 900,
    worker: `worker-${index % 8}`,
    fence: 1,
    parent: relation === 'initial' ? null : runIdAt(Math.max(0, index - 1 - skewed(50))),
    received: 0,
    taken: 0,
    model: 'openai/gpt',
    preview: words.join(' '),
    spent: '{"usage":{"input":900,"output":80,"reasoning":0,"cacheRead":0,"cacheWrite":0},"cost":{"usd":0.01}}',
    words: [...new Set(words)],
  }
}

const RUN = [
  'run_id',
  'session_id',
  'scope',
  'agent',
  'relation',
  'status',
  'seq',
  'started_at',
  'updated_at',
  'worker',
  'fence',
  'parent',
  'received',
  'taken',
  'model',
  'preview',
  'spent',
]

async function fillSqlite(path) {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(path)
  database.pragma('synchronous = off')
  const marks = columns => columns.map(() => '?').join()
  const run = database.prepare(`insert into runs (${RUN}) values (${marks(RUN)})`)
  const append = database.prepare('insert into appends (id, at, entries) values (? << 32 | ?, ?, ?)')
  const word = database.prepare('insert into run_words (scope, word, started_at, run_id) values (?, ?, ?, ?)')
  for (let from = 0; from < RUNS; from += 50_000) {
    database.transaction(() => {
      for (let index = from; index < Math.min(RUNS, from + 50_000); index++) {
        const row = runAt(index)
        const { lastInsertRowid: number } = run.run(RUN.map(column => row[column]))
        append.run(number, 4, row.started_at, '[]')
        append.run(number, 9, row.updated_at, '[]')
        for (const each of row.words) word.run('default', each, row.started_at, row.run_id)
      }
    })()
    tell(from)
  }
  database.exec('analyze')
  database.close()
}

async function fillPostgres(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const columns = {
    run: RUN,
    append: ['run_id', 'seq', 'at', 'entries'],
    word: ['scope', 'word', 'started_at', 'run_id'],
  }
  const types = name =>
    ['seq', 'started_at', 'updated_at', 'fence', 'received', 'taken', 'at'].includes(name) ? 'bigint[]' : 'text[]'
  const insert = (table, names, rows) =>
    client.query(
      `insert into ${table} (${names}) select * from unnest(${names.map((name, index) => `$${index + 1}::${types(name)}`)})`,
      names.map(name => rows.map(row => row[name])),
    )
  for (let from = 0; from < RUNS; from += 20_000) {
    const rows = Array.from({ length: Math.min(20_000, RUNS - from) }, (_, index) => runAt(from + index))
    await insert('runs', columns.run, rows)
    const appends = rows.flatMap(({ run_id, started_at, updated_at }) => [
      { run_id, seq: 4, at: started_at, entries: '[]' },
      { run_id, seq: 9, at: updated_at, entries: '[]' },
    ])
    await insert('appends', columns.append, appends)
    const words = rows.flatMap(({ run_id, started_at, words: each }) =>
      each.map(word => ({ scope: 'default', word, started_at, run_id })),
    )
    await insert('run_words', columns.word, words)
    tell(from)
  }
  await client.query('vacuum analyze')
  await client.end()
}

function tell(from) {
  if (from % 200_000 === 0) process.stderr.write(`${from.toLocaleString('en')} of ${RUNS.toLocaleString('en')} runs\n`)
}

const anyRun = () => Math.floor(random() * RUNS)
const commonWord = () => wordAt(Math.floor(random() * 20))
const anyWord = () => wordAt(skewed(VOCABULARY))
const rareWord = () => wordAt(VOCABULARY - 1 - Math.floor(random() * 2_000))
const page = () => {
  const index = anyRun()
  return { startedAt: START + index * 1_000, runId: runIdAt(index) }
}
const day = () => {
  const since = START + anyRun() * 1_000
  return { since, until: since + 86_400_000 }
}

/** What a list may select, each with values drawn for each query. */
const FILTERS = {
  none: () => ({}),
  'status common': () => ({ status: 'completed' }),
  'status rare': () => ({ status: 'running' }),
  'agent common': () => ({ agent: 'agent-0' }),
  'agent any': () => ({ agent: `agent-${Math.floor(random() * AGENTS)}` }),
  'agent unknown': () => ({ agent: 'nobody' }),
  session: () => ({ sessionId: `session-${Math.floor(anyRun() / 4)}` }),
  relation: () => ({ relation: 'branch' }),
  parent: () => ({ parent: runIdAt(anyRun()) }),
  roots: () => ({ roots: true }),
  'one day': day,
  'text common': () => ({ text: commonWord() }),
  'text any': () => ({ text: anyWord() }),
  'text rare': () => ({ text: rareWord() }),
  'text unknown': () => ({ text: 'nothing' }),
  'two words': () => ({ text: `${anyWord()} ${anyWord()}` }),
  'two common words': () => ({ text: `${commonWord()} ${commonWord()}` }),
  'far page': () => ({ after: page() }),
  'far page, status': () => ({ after: page(), status: 'failed' }),
  'far page, text': () => ({ after: page(), text: commonWord() }),
  'status, agent': () => ({ status: 'failed', agent: `agent-${Math.floor(random() * AGENTS)}` }),
  'status rare, agent': () => ({ status: 'running', agent: 'agent-19' }),
  'status, one day': () => ({ status: 'failed', ...day() }),
  'agent, one day': () => ({ agent: 'agent-19', ...day() }),
  'status, roots': () => ({ status: 'suspended', roots: true }),
  'relation, agent': () => ({ relation: 'branch', agent: 'agent-19' }),
  'text, status': () => ({ text: anyWord(), status: 'failed' }),
  'text common, status': () => ({ text: commonWord(), status: 'running' }),
  'text, agent, roots, one day': () => ({ text: commonWord(), agent: 'agent-1', roots: true, ...day() }),
  'all of them': () => ({
    status: 'completed',
    agent: 'agent-0',
    relation: 'continue',
    roots: true,
    text: commonWord(),
    after: page(),
  }),
}

async function measure(store) {
  let failed = 0
  console.log(`${values.store}, ${RUNS.toLocaleString('en')} runs, ${SAMPLES} samples each`)
  console.log('filter                            p50 ms    p99 ms   max ms   rows')
  for (const [name, draw] of Object.entries(FILTERS)) {
    const times = []
    let rows = 0
    for (let sample = 0; sample < SAMPLES + 5; sample++) {
      const query = { scope: 'default', limit: 50, ...draw() }
      const begin = performance.now()
      rows = (await store.runs(query)).length
      // The first ones read the pages from the disk and compile the statement.
      if (sample >= 5) times.push(performance.now() - begin)
    }
    times.sort((a, b) => a - b)
    const at = share => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2).padStart(9)
    const slow = Number(at(0.99)) > MAX_MS
    if (slow) failed++
    console.log(`${name.padEnd(30)}${at(0.5)} ${at(0.99)}${at(1)} ${String(rows).padStart(6)}${slow ? '  slow' : ''}`)
  }
  return failed
}

const folder = await mkdtemp(join(tmpdir(), 'parley-lists-'))
let failed
if (values.store === 'postgres') {
  const { startPostgres } = await import('../packages/stores/postgres/src/__fixtures__/start-postgres.ts')
  const { openPostgresStore } = await import('@parley/postgres')
  await using server = await startPostgres()
  await using store = await openPostgresStore({ url: server.url })
  await fillPostgres(server.url)
  failed = await measure(store)
} else {
  const { openSqliteStore } = await import('@parley/sqlite')
  const path = join(folder, 'runs.db')
  await (await openSqliteStore({ path }))[Symbol.asyncDispose]()
  await fillSqlite(path)
  await using store = await openSqliteStore({ path })
  failed = await measure(store)
}
await rm(folder, { recursive: true })
process.exitCode = failed === 0 ? 0 : 1
