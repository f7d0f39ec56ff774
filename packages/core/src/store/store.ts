import type { Entry } from '../schema/entry.ts'
import type { Claim, ClaimRequest, Heartbeat } from './claim.ts'
import type { JournalAppend } from './journal-append.ts'
import type { PruneQuery, RunQuery } from './run-query.ts'
import type { RunRecord } from './run-record.ts'
import type { ReadOptions, StoreCallOptions } from './store-call-options.ts'
import type { StoreParts } from './store-parts.ts'

/**
 * Keeps the journals of runs. A run has one writer at a time: the worker that holds its claim.
 * `describeStoreContract` of `@parley/testing/contract` tests every promise made here.
 */
export interface Store extends StoreParts, AsyncDisposable {
  /** Name of the store in error messages, for example a path or a host. */
  readonly name: string
  /** Adds entries to a run's journal, all or none. @throws ParleyError as listed at `JournalAppend`. */
  append(append: JournalAppend, options?: StoreCallOptions): Promise<void>
  /** Returns a run's entries in order, after `afterSeq`, at most `limit`. Empty for an unknown run. */
  read(runId: string, options?: ReadOptions): Promise<readonly Entry[]>
  /** Returns the record of a run, or `undefined` for an unknown run. */
  run(runId: string, options?: StoreCallOptions): Promise<RunRecord | undefined>
  /** Lists runs, newest first: by `startedAt`, then by run id. */
  runs(query: RunQuery, options?: StoreCallOptions): Promise<readonly RunRecord[]>
  /**
   * Makes `worker` the run's only writer. Each granted claim raises the fence, even if the same worker claims again.
   * Not granted while another live worker holds the run, unless the run is suspended or `force` is set: a suspended run has
   * no driver. The store checks this in the same transaction. @throws ParleyError `run-unknown`.
   */
  claim(claim: ClaimRequest, options?: StoreCallOptions): Promise<Claim>
  /** Extends every claim of a worker until `at + ttlMs`. The last heartbeat counts, even if it ends earlier. */
  heartbeat(beat: Heartbeat, options?: StoreCallOptions): Promise<void>
  /**
   * Removes ended runs with their journals and inboxes, but keeps every run that a remaining run descends from. Also removes
   * from the time before `before`: artifacts of sessions without runs, workers whose last heartbeat expired then, and totals
   * of quotas whose window ended then. Keeps notes and workflows. Absent if the store keeps everything.
   * @returns How many runs were removed.
   */
  prune?(query: PruneQuery, options?: StoreCallOptions): Promise<number>
  /**
   * Calls `listener` with the id of a run whose journal has grown, whichever process wrote it. A notice may come late, twice
   * or never, so a reader must also poll. Dispose the result to stop. Absent if the store sends no notices.
   */
  watch?(listener: (runId: string) => void, options?: StoreCallOptions): Promise<AsyncDisposable>
}
