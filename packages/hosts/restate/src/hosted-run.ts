import type { ApprovalDecision, CancelReason, Principal, RunEvent, UserMessage } from '@parley/core'
import type { HostedResult } from './run-order.ts'

export interface DecideHostedOptions {
  readonly decision: ApprovalDecision
  /** Who decides; needed where the request names roles. */
  readonly by?: Principal | undefined
}

export interface FollowOptions {
  /** Number of the last entry the reader has seen. @default 0 */
  readonly afterSeq?: number | undefined
  /** Aborting it ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

/** A run on Restate, from outside. Every call that is answered is safe, whatever dies then. */
export interface HostedRun {
  readonly runId: string
  readonly sessionId: string
  /**
   * Waits for the end, however long that takes and whatever dies meanwhile.
   * @throws ParleyError `agent-unknown`, `session-busy`, `config-invalid`, … of a run that never began, and
   * `request-invalid` where Restate refuses the call.
   */
  result(options?: { readonly signal?: AbortSignal | undefined }): Promise<HostedResult>
  /**
   * Decides about a call that waits for approval. The first decision counts; one that comes before the run waits for it is kept.
   * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden`, `run-unknown`.
   */
  decide(approvalId: string, options: DecideHostedOptions): Promise<void>
  /** Asks for the run to be stopped, also for one that has not begun. The first reason wins; an ended run is left as it is. */
  cancel(reason?: CancelReason): Promise<void>
  /**
   * Puts in a word, as `Run.steer` does. Resolves when it is in the journal.
   * @throws ParleyError `run-ended`, `input-rejected`, `queue-full`.
   */
  steer(message: string | UserMessage): Promise<void>
  /** Queues a message for when the run would otherwise end. Throws what `steer` throws. */
  followUp(message: string | UserMessage): Promise<void>
  /**
   * The run's entries as they come, whichever worker writes them, and between them what the live bus brings; until the run
   * has ended. After `run.resumed`, pieces of an answer that were shown before it do not count: the call is made again.
   */
  events(options?: FollowOptions): AsyncIterable<RunEvent>
}
