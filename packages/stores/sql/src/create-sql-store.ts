import { ParleyError, type JournalAppend, type RunQuery, type Store } from '@parley/core'
import type { Kysely } from 'kysely'
import { appendJournal } from './append-journal.ts'
import { claimRun } from './claim-run.ts'
import type { InboxSignals } from './create-inbox-watch.ts'
import { createSqlArtifacts } from './create-sql-artifacts.ts'
import { createSqlDeadLetters } from './create-sql-dead-letters.ts'
import { createSqlInbox } from './create-sql-inbox.ts'
import { createSqlNotes } from './create-sql-notes.ts'
import { createSqlWorkflows } from './create-sql-workflows.ts'
import { journalQueries } from './journal-queries.ts'
import { listRunsQuery } from './list-runs-query.ts'
import { pruneRuns } from './prune-runs.ts'
import { readEntries } from './read-entries.ts'
import type { RunRow, StoreTables } from './store-tables.ts'
import { toRunRecord } from './to-run-record.ts'

export interface SqlStoreOptions {
  /** Shown in errors: a path, a host. */
  readonly name: string
  /** A database that `migrateStore` has brought to the newest schema. */
  readonly db: Kysely<StoreTables>
  /** Writes one append in one transaction. @default through `db` */
  readonly append?: ((append: JournalAppend) => Promise<void> | void) | undefined
  /**
   * Runs one call of the store. A backend turns here what its driver throws into what the user can act on,
   * and may run the call again: each is one transaction. @default runs it once
   */
  readonly attempt?: (<TResult>(call: () => Promise<TResult>) => Promise<TResult>) | undefined
  /** Tells of journals that grow. Where it is not given, the store cannot. */
  readonly watch?: Store['watch']
  /** How inboxes are watched. @default their table is looked at four times a second while anybody watches */
  readonly inboxSignals?: InboxSignals | undefined
  /** Lists the rows of a scope's runs, newest first. @default through `db` */
  readonly listRows?: ((query: RunQuery) => readonly RunRow[]) | undefined
  /** Milliseconds since the epoch. @default the machine's */
  readonly now?: (() => number) | undefined
  /** Lets the database go. Called once. @default destroys `db` */
  readonly close?: (() => Promise<void> | void) | undefined
}

/**
 * A store over an SQL database. Once closed, it refuses every call with `store-unavailable`.
 * It works as one writer of many: other processes may use the same database.
 */
export function createSqlStore({
  name,
  db,
  append = journal => appendJournal(db, journal),
  attempt = call => call(),
  watch,
  inboxSignals,
  listRows,
  now = Date.now,
  close = () => db.destroy(),
}: SqlStoreOptions): Store {
  let closed = false

  async function guard<TResult>(call: () => Promise<TResult>): Promise<TResult> {
    try {
      if (!closed) return await attempt(call)
    } catch (error) {
      // A call that was under way while the store closed fails in the driver's own words.
      if (!closed) throw error
    }
    throw new ParleyError({ code: 'store-unavailable', store: name, detail: 'it has been closed.' })
  }

  return {
    name,
    append: journal => guard(async () => append(journal)),
    read: (runId, { afterSeq = 0 } = {}) => guard(() => readEntries(db, { runId, afterSeq, name })),
    run: runId =>
      guard(async () => {
        const row = await journalQueries.selectRun(db, { run_id: runId }).executeTakeFirst()
        return row === undefined ? undefined : toRunRecord(row)
      }),
    runs: query =>
      guard(async () => (listRows?.(query) ?? (await listRunsQuery(db, query).execute())).map(toRunRecord)),
    claim: request => guard(() => claimRun(db, request)),
    heartbeat: ({ worker, at, ttlMs }) =>
      guard(async () => {
        const row = { worker, alive_until: at + ttlMs }
        await db
          .insertInto('workers')
          .values(row)
          .onConflict(conflict => conflict.column('worker').doUpdateSet({ alive_until: row.alive_until }))
          .execute()
      }),
    prune: query => guard(() => pruneRuns(db, query)),
    ...(watch === undefined ? {} : { watch: listener => guard(() => watch(listener)) }),
    inbox: createSqlInbox({ name, db, guard, signals: inboxSignals }),
    artifacts: createSqlArtifacts({ name, db, guard, now }),
    deadLetters: createSqlDeadLetters({ name, db, guard }),
    notes: createSqlNotes({ name, db, guard }),
    workflows: createSqlWorkflows({ name, db, guard }),
    [Symbol.asyncDispose]: async () => {
      if (closed) return
      closed = true
      await close()
    },
  }
}
