import type { Entry } from '../schema/entry.ts'
import type { QuotaCount } from './quota-store.ts'

/**
 * Entries to add to a run's journal. A store checks an append in this order and throws the first error that applies:
 * 1. `store-fenced` if `worker` and `fence` are not those of the run's last claim. A first append is not checked.
 * 2. `store-conflict` if the journal does not end at `expectedSeq`.
 * 3. `internal` if the entries are not numbered from `expectedSeq + 1`, or `run.started` is missing or misplaced.
 * 4. `internal` if `taken` is less than before, or more than the inbox has received.
 * 5. `inbox-unread` if the entries contain a terminal entry (`isTerminalEntry`) and the inbox has commands after
 * `taken`.
 * 6. `session-busy` if `sessionHead` is not the newest run of the session.
 * 7. `quota-exceeded` if `counts` would exceed the `maxRuns` of a total.
 */
export interface JournalAppend {
  readonly runId: string
  /** Number of the last entry that the writer has seen; 0 for a new run. */
  readonly expectedSeq: number
  readonly worker: string
  /** Fence of the worker's claim; 1 for a run that the worker has started itself. */
  readonly fence: number
  readonly entries: readonly Entry[]
  /**
   * Id of the run that must be the newest of the session, or `null` if the session must be empty. Used only for the
   * first append of a run. If several writers start from the same point of a session, exactly one succeeds.
   * @default not checked
   */
  readonly sessionHead?: string | null | undefined
  /**
   * Position of the last inbox command that these entries record. The store marks the commands up to this position as
   * taken, in the same transaction as the entries. @default no further command is taken
   */
  readonly taken?: number | undefined
  /**
   * What the entries add to the totals of quotas, in the same transaction. An append without entries adds nothing.
   * @default nothing
   */
  readonly counts?: readonly QuotaCount[] | undefined
}
