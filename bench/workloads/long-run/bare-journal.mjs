import Database from 'better-sqlite3'
import { CpuOfTurns } from './cpu-of-turns.mjs'

const APPENDS_A_TURN = 2
const ENTRIES_AN_APPEND = 2

/** Reads and parses the rows of a journal, and pushes each entry to an array. @returns Milliseconds. */
export function readBareJournal(file, runId) {
  const database = new Database(file)
  const from = performance.now()
  const entries = []
  for (const text of selectRows(database).iterate(runId)) for (const entry of JSON.parse(text)) entries.push(entry)
  const took = performance.now() - from
  database.close()
  return took
}

/**
 * Measures the least work of a turn: two messages are pushed to an array, and copied with all others for the request. `write` stores
 * what an append of the turn contains.
 */
export function costOfBareTurn(turn, write = () => {}) {
  const meter = new CpuOfTurns(turn)
  let request
  for (let run = 0; !meter.done; run++) {
    meter.startRun()
    const messages = []
    for (let seq = 0; !meter.begin(); seq += APPENDS_A_TURN) {
      request = messages.slice()
      for (let append = seq; append < seq + APPENDS_A_TURN; append++) write(run, append)
      messages.push({ role: 'assistant', content: [] }, { role: 'tool', content: [] })
    }
  }
  if (request === undefined) throw new Error('no request was made')
  return { us: meter.microseconds, turns: meter.turns }
}

/** Writes the entries of a run to a bare database, as many in a row as an append of a turn has. */
export async function copyToBareJournal(file, { store, runId }) {
  const database = openBare(file)
  const insert = database.prepare(INSERT)
  const entries = await store.read(runId)
  database.transaction(() => {
    for (let at = 0; at < entries.length; at += ENTRIES_AN_APPEND)
      insert.run(runId, at, entries[at].at, JSON.stringify(entries.slice(at, at + ENTRIES_AN_APPEND)))
  })()
  database.close()
}

/** Opens a new bare database that the rows of a bare journal are written to again, one transaction for each. */
export function openBareJournal(file, { journal, runId }) {
  const known = new Database(journal, { readonly: true })
  // Without the first row, which is as long as many others.
  const rows = selectRows(known).all(runId).slice(1)
  known.close()
  const database = openBare(file)
  const insert = database.prepare(INSERT)
  return {
    write: (run, append) => insert.run(`${runId}-${run}`, append, Date.now(), rows[append % rows.length]),
    close: () => database.close(),
  }
}

const INSERT = 'insert into appends values (?, ?, ?, ?)'

function openBare(file) {
  const database = new Database(file)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = normal')
  database.exec(
    'create table if not exists appends (run_id text, seq integer, at integer, entries text, primary key (run_id, seq)) without rowid',
  )
  return database
}

function selectRows(database) {
  return database.prepare('select entries from appends where run_id = ? order by seq').pluck()
}
