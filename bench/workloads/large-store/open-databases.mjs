import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { openPostgresServer } from '../postgres/open-server.mjs'
import { scriptedAgent } from '../scripted-agent.mjs'
import { POSTGRES, SQLITE, markStatements, readRecorded, seedStatements } from './seed-rows.mjs'

/** Five turns have 21 entries in ten appends. */
const TURNS = 5
const CHUNK = 50_000
const CACHE = path.join(import.meta.dirname, '../../../node_modules/.cache/parley-bench')

/** How the workers find the two databases, and the file with the rows that they multiply. @typedef {{ files: Record<string, string>, url: string, schemas: Record<string, string>, recorded: string }} Databases */

/**
 * Opens a SQLite file and a PostgreSQL schema for each number of runs. They stay: the files in the cache of `node_modules`, the schemas in
 * the database at `DATABASE_URL`, if there is one. So only the first measurement seeds them.
 */
export async function openDatabases({ points }) {
  mkdirSync(CACHE, { recursive: true })
  const server = await openPostgresServer()
  const recorded = await recordRun()
  const file = path.join(CACHE, 'recorded.json')
  writeFileSync(file, JSON.stringify(recorded))
  const files = {}
  const schemas = {}
  for (const runs of points) {
    files[runs] = await openFile(runs, recorded)
    schemas[runs] = await openSchema(server.value, runs, recorded)
  }
  return {
    value: { files, url: server.value, schemas, recorded: file },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Drives one run, and returns the rows that it wrote. */
async function recordRun() {
  const file = path.join(CACHE, `recorded-${process.pid}.db`)
  const store = await openSqliteStore({ path: file })
  await createRuntime({ store, agents: [scriptedAgent({ turns: TURNS })] }).invoke('bench', 'go')
  const database = new Database(file, { readonly: true })
  const rowsOf = (table, order) => database.prepare(`select * from ${table} order by ${order}`).all()
  const [run] = rowsOf('runs', 'run_id')
  delete run.num
  const appends = database.prepare('select id & 4294967295 as seq, at, entries from appends order by id').all()
  const recorded = { run, appends, usage: rowsOf('run_usage', 'model') }
  database.close()
  await store[Symbol.asyncDispose]()
  rmSync(file)
  return recorded
}

async function openFile(runs, recorded) {
  const schema = await newestSchema()
  const file = path.join(CACHE, `runs-${runs}-${schema}.db`)
  if (existsSync(file)) return file
  const partial = `${file}.partial`
  for (const end of ['', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true })
  await (await openSqliteStore({ path: partial }))[Symbol.asyncDispose]()
  const database = new Database(partial)
  database.pragma('synchronous = off')
  database.pragma('journal_mode = off')
  for (const statements of chunks(SQLITE, recorded, runs)) for (const statement of statements) database.exec(statement)
  database.pragma('journal_mode = wal')
  database.close()
  renameSync(partial, file)
  return file
}

async function openSchema(url, runs, recorded) {
  const schema = `bench_${runs}_${(await newestSchema()).replaceAll('-', '_')}`
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  const { rows } = await client.query(`select obj_description(oid) as state from pg_namespace where nspname = $1`, [
    schema,
  ])
  if (rows[0]?.state !== 'seeded') {
    await client.query(`drop schema if exists ${schema} cascade`)
    await (await openPostgresStore({ url, schema }))[Symbol.asyncDispose]()
    await client.query('set synchronous_commit = off')
    for (const statements of chunks(POSTGRES, recorded, runs))
      for (const statement of statements) await client.query(statement)
    for (const table of ['runs', 'appends', 'run_words', 'run_usage', 'workers'])
      await client.query(`vacuum analyze ${table}`)
    // Otherwise the server writes the rows to the disk beside the first measurements.
    await client.query('checkpoint')
    await client.query(`comment on schema ${schema} is 'seeded'`)
  }
  await client.end()
  return schema
}

/** Removes the old versions of rows, as a server at rest does. In a store with one run they would be most of what the server reads. */
export async function vacuumSchema({ url, schemas }, runs) {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schemas[runs]}` })
  await client.connect()
  for (const table of ['runs', 'appends']) await client.query(`vacuum ${table}`)
  await client.end()
}

/** Inserts the first runs again. Those that are still there stay as they are. */
export async function seedRuns(side, { files, url, schemas, recorded }, { runs, count }) {
  const statements = seedStatements(side === 'sqlite' ? SQLITE : POSTGRES, readRecorded(recorded), {
    from: 0,
    to: count - 1,
  })
  if (side === 'sqlite') {
    const database = new Database(files[runs])
    for (const statement of statements) database.exec(statement)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schemas[runs]}` })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

function* chunks(dialect, recorded, runs) {
  yield markStatements()
  for (let from = 0; from < runs; from += CHUNK) {
    process.stderr.write(
      `  seeds ${Math.min(from + CHUNK, runs).toLocaleString('en')} of ${runs.toLocaleString('en')} runs\n`,
    )
    yield seedStatements(dialect, recorded, { from, to: Math.min(from + CHUNK, runs) - 1 })
  }
}

/** Returns the name of the newest migration, so that a new schema seeds new databases. */
async function newestSchema() {
  const file = path.join(CACHE, `schema-${process.pid}.db`)
  await (await openSqliteStore({ path: file }))[Symbol.asyncDispose]()
  const database = new Database(file)
  const name = database.prepare('select max(name) from parley_migration').pluck().get()
  database.close()
  rmSync(file)
  return name
}
