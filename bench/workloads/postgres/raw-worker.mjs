import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import pg from 'pg'
import { scriptedAgent } from '../scripted-agent.mjs'
import { driveRuns } from './drive-runs.mjs'

const job = JSON.parse(process.argv[2])
const { run, appends, words, usage } = await recordRun()
const pool = new pg.Pool({ connectionString: job.url, max: 10, options: `-c search_path=${job.schema}` })
const columns = Object.keys(run)
const slots = (row, from = 1) =>
  Object.keys(row)
    .map((_, index) => `$${index + from}`)
    .join(', ')
const INSERT = {
  name: 'insert-run',
  text: `with started as (insert into runs (${columns.join(', ')}) values (${slots(run)}) returning run_id)
    insert into appends select run_id, $${columns.length + 1}, $${columns.length + 2}, $${columns.length + 3} from started`,
}
const ADVANCE = {
  name: 'advance-run',
  text: `with advanced as (update runs set seq = $3, updated_at = $4, status = $5 where run_id = $1 and seq = $2 and worker = $6 and fence = $7
    returning run_id) insert into appends select run_id, $3, $4, $8 from advanced returning run_id`,
}
const appendTimes = []
let runs = 0

async function send(query, values) {
  const from = performance.now()
  const { rowCount } = await pool.query({ ...query, values })
  if (rowCount !== 1) throw new Error(`${query.name}: ${rowCount} rows`)
  appendTimes.push(performance.now() - from)
}

await driveRuns(job, {
  appendTimes,
  async drive() {
    const id = `${job.index}-${++runs}`
    const own = { ...run, run_id: id, session_id: id, worker: `w${job.index}`, status: 'running' }
    const [first, ...later] = appends
    await send(INSERT, [...Object.values(own), first.seq, first.at, first.entries])
    for (const row of words) {
      const values = Object.values({ ...row, run_id: id })
      await pool.query({ name: 'word', text: `insert into run_words values (${slots(row)})`, values })
    }
    let seq = first.seq
    for (const append of later) {
      const status = append === later.at(-1) ? run.status : 'running'
      await send(ADVANCE, [id, seq, append.seq, append.at, status, own.worker, own.fence, append.entries])
      seq = append.seq
    }
    for (const row of usage) {
      const values = Object.values({ ...row, run_id: id })
      await pool.query({ name: 'usage', text: `insert into run_usage values (${slots(row)})`, values })
    }
  },
})

/** Drives one run with the store, and returns the rows that it wrote. */
async function recordRun() {
  await using store = await openPostgresStore({ url: job.url, schema: job.schema })
  const runtime = createRuntime({ store, agents: [scriptedAgent({ turns: job.turns })] })
  const { runId } = await runtime.invoke('bench', 'go')
  const client = new pg.Client({ connectionString: job.url, options: `-c search_path=${job.schema}` })
  await client.connect()
  const rowsOf = async (table, order) =>
    (await client.query(`select * from ${table} where run_id = $1 order by ${order}`, [runId])).rows
  const [recorded] = await rowsOf('runs', 'run_id')
  const written = {
    run: recorded,
    appends: await rowsOf('appends', 'seq'),
    words: await rowsOf('run_words', 'word'),
    usage: await rowsOf('run_usage', 'model'),
  }
  await client.end()
  return { ...written, run: { ...written.run, seq: written.appends[0].seq } }
}
