import {
  checkOptions,
  ParleyError,
  systemClock,
  untilAborted,
  withCheckedIdentifiers,
  type JournalAppend,
  type RunQuery,
  type Store,
  type OptionKinds,
} from '@parley/core'
import type { Kysely } from 'kysely'
import { appendJournal } from './journal/append-journal.ts'
import { claimRun } from './journal/claim-run.ts'
import { journalQueries } from './journal/journal-queries.ts'
import { pruneRuns } from './journal/prune-runs.ts'
import { readEntries } from './journal/read-entries.ts'
import { recordHeartbeat } from './journal/record-heartbeat.ts'
import { countWordQuery, listRunsQuery, planList, wordsToCount, type CountedWord } from './journal/list-runs-query.ts'
import { toRunRecord } from './journal/run-rows.ts'
import type { InboxSignals } from './parts/create-inbox-watch.ts'
import { createSqlArtifacts } from './parts/create-sql-artifacts.ts'
import { createSqlDeadLetters } from './parts/create-sql-dead-letters.ts'
import { createSqlInbox } from './parts/create-sql-inbox.ts'
import { createSqlNotes } from './parts/create-sql-notes.ts'
import { createSqlQuotas } from './parts/create-sql-quotas.ts'
import { createSqlReports } from './parts/create-sql-reports.ts'
import { createSqlWorkflows } from './parts/create-sql-workflows.ts'
import { openWatch, type Guard } from './parts/store-part.ts'
import type { RunRow, StoreTables } from './tables/store-tables.ts'

/** Options of `createSqlStore`. */
export interface SqlStoreOptions {
  /** Name of the store in error messages, for example a path or a host. */
  readonly name: string
  /** A database with the newest schema, as `migrateStore` leaves it. */
  readonly db: Kysely<StoreTables>
  /** Writes one append in one transaction. @default through `db` */
  readonly append?: ((append: JournalAppend) => Promise<void> | void) | undefined
  /**
   * Whether `append` updates `seq` and `updated_at` of the run's row each time. Otherwise queries read them from the last append.
   * @default true without `append`, else false
   */
  readonly updatesRuns?: boolean | undefined
  /**
   * Runs one call of the store, which is one transaction. `prune` is several. A backend converts the errors of its driver here. It may
   * repeat the call until `signal` is aborted. @default runs the call once
   */
  readonly attempt?: Attempt | undefined
  /** Reports journals that have grown. @default the store has no `watch` */
  readonly watch?: ((listener: (runId: string) => void) => Promise<AsyncDisposable>) | undefined
  /** How the store notices commands in inboxes. @default reads the table four times a second while a watch is open */
  readonly inboxSignals?: InboxSignals | undefined
  /** Lists the rows of a scope's runs, newest first. @default through `db` */
  readonly listRows?: ((query: RunQuery) => readonly RunRow[]) | undefined
  /** Returns the time in milliseconds since the epoch. @default the machine's clock */
  readonly now?: (() => number) | undefined
  /** Closes the database. Called once. @default destroys `db` */
  readonly close?: (() => Promise<void> | void) | undefined
}

/** Runs one call of a store, and repeats it if necessary. */
export type Attempt = <TResult>(call: () => Promise<TResult>, signal?: AbortSignal) => Promise<TResult>

const OPTIONS: OptionKinds<SqlStoreOptions> = {
  name: 'string!',
  db: 'object!',
  append: 'function',
  updatesRuns: 'boolean',
  attempt: 'function',
  watch: 'function',
  inboxSignals: 'object',
  listRows: 'function',
  now: 'function',
  close: 'function',
}

/**
 * Creates a store over an SQL database. Other processes may use the same database. After the store is closed, every call throws
 * `store-unavailable`.
 */
export function createSqlStore(options: SqlStoreOptions): Store {
  checkOptions('createSqlStore', options, OPTIONS)
  const {
    name,
    db,
    append = journal => appendJournal(db, journal),
    updatesRuns = options.append === undefined,
    attempt = call => call(),
    watch,
    inboxSignals,
    listRows,
    now = systemClock.now,
    close = () => db.destroy(),
  } = options
  let isClosed = false

  const guard: Guard = async (call, { signal } = {}) => {
    signal?.throwIfAborted()
    try {
      if (!isClosed) return await untilAborted(attempt(call, signal), signal)
    } catch (error) {
      // A call that was running when the store closed fails with an error of the driver.
      if (!isClosed) throw error
    }
    throw new ParleyError({ code: 'store-unavailable', store: name, detail: 'it has been closed.' })
  }

  const selectRuns = async (query: RunQuery): Promise<readonly RunRow[]> => {
    const { scope } = query
    const counted = wordsToCount(query).map(async (word): Promise<CountedWord> => {
      return [word, (await countWordQuery(db, { scope, word }).executeTakeFirstOrThrow()).runs]
    })
    const { shape, values } = planList(query, await Promise.all(counted))
    return listRunsQuery(db, { ...shape, isUpdated: updatesRuns }, values).execute()
  }

  const part = { name, db, guard }
  return withCheckedIdentifiers({
    name,
    append: (journal, options) => guard(async () => append(journal), options),
    read: (runId, options) => {
      const { afterSeq = 0, limit = Infinity } = options ?? {}
      return guard(() => readEntries(db, { runId, afterSeq, limit, name }), options)
    },
    run: (runId, options) =>
      guard(async () => {
        const row = await journalQueries.selectRun(db, { run_id: runId }, updatesRuns).executeTakeFirst()
        return row === undefined ? undefined : toRunRecord(row)
      }, options),
    runs: (query, options) =>
      guard(async () => (listRows?.(query) ?? (await selectRuns(query))).map(toRunRecord), options),
    claim: (request, options) => guard(() => claimRun(db, request), options),
    heartbeat: (beat, options) => guard(() => recordHeartbeat(db, beat), options),
    prune: (query, options) => pruneRuns(db, { query, step: call => guard(call, options) }),
    ...(watch === undefined ? {} : { watch: (listener, options) => openWatch(guard, () => watch(listener), options) }),
    inbox: createSqlInbox({ ...part, signals: inboxSignals }),
    artifacts: createSqlArtifacts({ ...part, now }),
    deadLetters: createSqlDeadLetters(part),
    notes: createSqlNotes(part),
    quotas: createSqlQuotas(part),
    reports: createSqlReports(part),
    workflows: createSqlWorkflows(part),
    [Symbol.asyncDispose]: async () => {
      if (isClosed) return
      isClosed = true
      await close()
    },
  })
}
