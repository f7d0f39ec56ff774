import type { JournalAppend } from '@parley/core'
import { journalQueries, planAppend, toQuotaRow, type AppendPlan, type StoreTables } from '@parley/store-sql'
import type { Database } from 'better-sqlite3'
import { sql, type Compilable, type Kysely } from 'kysely'
import { SQLITE_KEYS } from '../append-keys.ts'
import { insertHeld } from '../insert-append.ts'
import type { AppendWriter } from '../create-append.ts'
import { afterTransaction } from '../after-transaction.ts'
import type { AppendStatement } from './append-statement.ts'
import { encodeJson } from './encode-json.ts'
import { openAppendThread, type AppendThread } from './open-append-thread.ts'

export interface LargeAppendOptions {
  readonly db: Kysely<StoreTables>
  readonly busyTimeoutMs: number
  /** Writes an append in this thread. */
  readonly append: AppendWriter['write']
}

/** Writes appends with large texts, such as an answer of 20 MB. */
export interface LargeAppend extends Pick<AppendThread, 'close'> {
  write(append: JournalAppend): Promise<void>
}

/** Pages of the write-ahead log after which a commit copies them to the file: the default of SQLite. */
const CHECKPOINT_PAGES = 1_000

/**
 * Creates the function that writes appends with large texts without blocking the process. This thread checks and encodes an append.
 * Another thread writes it, if the claim still holds and the journal has not grown since the check.
 */
export function createLargeAppend(database: Database, { db, busyTimeoutMs, append }: LargeAppendOptions): LargeAppend {
  const synchronous = database.pragma('synchronous', { simple: true }) as number
  const thread = openAppendThread({ path: database.name, busyTimeoutMs, synchronous })
  let writing = 0
  /** Bytes wait for the thread in one place at a time. */
  let last: Promise<unknown> = Promise.resolve()

  async function writeInThread(journal: JournalAppend): Promise<boolean> {
    const before = await journalQueries.selectRun(db, { run_id: journal.runId }, SQLITE_KEYS).executeTakeFirst()
    const plan = planAppend(before, journal, () => '')
    if (plan === undefined) return true
    const statements = statementsOf(db, journal, { plan, entries: await encodeJson(journal.entries) })
    // Otherwise a small commit of this thread would copy the large pages to the file before the other thread does.
    if (writing++ === 0) database.pragma('wal_autocheckpoint = 0')
    try {
      return await thread.write(statements)
    } finally {
      if (--writing === 0 && database.open) database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    }
  }

  return {
    async write(journal) {
      const writes = canMove(database, journal) ? last.then(() => writeInThread(journal)) : Promise.resolve(false)
      last = writes.catch(() => {})
      const written = await writes
      // Writes the append, or throws the error that says why it cannot be written.
      if (!written) await afterTransaction(database, () => append(journal))
    },
    close: () => thread.close(),
  }
}

/** An append that begins a run or a quota's run needs checks between its statements, which only this thread makes. */
function canMove({ memory }: Database, { expectedSeq, counts = [] }: JournalAppend): boolean {
  return !memory && expectedSeq > 0 && counts.every(({ maxRuns }) => maxRuns === undefined)
}

interface PlannedAppend {
  readonly plan: AppendPlan
  readonly entries: Uint8Array
}

function statementsOf(
  db: Kysely<StoreTables>,
  { worker, fence, expectedSeq: expected_seq, counts = [] }: JournalAppend,
  { plan: { run, append, words, usage, closes }, entries }: PlannedAppend,
): readonly AppendStatement[] {
  const { run_id, updated_at, status, seq, taken, preview, spent } = run
  const text = sql<string>`cast(${entries} as text)`
  const held = insertHeld(db, { ...append, worker, fence, expected_seq }, text)
  const changed = db
    .updateTable('runs')
    .set({ updated_at, status, seq, taken, preview, spent })
    .where('run_id', '=', run_id)
  return [
    toStatement(held, true),
    toStatement(closes ? changed.where('received', '<=', taken) : changed, true),
    ...words.map(row => toStatement(journalQueries.insertWord(db, row))),
    ...usage.map(row => toStatement(journalQueries.insertUsage(db, row))),
    ...counts.map(count => toStatement(journalQueries.addCount(db, toQuotaRow(count)))),
  ]
}

function toStatement(query: Compilable, mustChange = false): AppendStatement {
  const { sql: text, parameters } = query.compile()
  return { sql: text, values: parameters, mustChange }
}
