import type { ApprovalDecision, CancelReason, Principal, RunEvent, Submission, UserMessage } from '@parley/core'
import type { ToolResult } from '@parley/engine'
import type { HostedResult } from './run-order.ts'

/** Options of `HostedRun.decide`. */
export interface DecideHostedOptions {
  /** A `Submission` answers a call that waits for the client, by its `requestId`: see `submitToolResult`. */
  readonly decision: ApprovalDecision | Submission
  /** The principal who decides. Required if the request names roles. @default none */
  readonly by?: Principal | undefined
}

/** Options of `HostedRun.submitToolResult`. */
export type SubmitHostedOptions = Pick<DecideHostedOptions, 'by'>

/** Options of `HostedRun.events`. */
export interface FollowOptions {
  /** Number of the last entry that the reader has. @default 0 */
  readonly afterSeq?: number | undefined
  /** Aborting it ends the iteration. @default none */
  readonly signal?: AbortSignal | undefined
}

/** A run on Restate, seen by a client. After the promise of a method has resolved, no crash can undo its effect. */
export interface HostedRun {
  readonly runId: string
  readonly sessionId: string
  /**
   * Waits for the end of the run, even if workers or Restate restart.
   * @throws ParleyError `agent-unknown`, `session-busy`, `config-invalid`, … if the run never started, and
   * `request-invalid` if Restate rejects the call.
   */
  result(options?: { readonly signal?: AbortSignal | undefined }): Promise<HostedResult>
  /**
   * Decides on a call that is suspended for approval. The first decision counts. Restate keeps a decision that arrives before
   * the run is suspended.
   * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden`, `run-unknown`.
   */
  decide(approvalId: string, options: DecideHostedOptions): Promise<void>
  /**
   * Submits the result of a tool call that waits for it, as `Runtime.submitToolResult` does. The first result counts.
   * @throws ParleyError `client-call-unknown`, `client-call-settled`, `request-invalid`, `run-unknown`.
   */
  submitToolResult(callId: string, result: ToolResult, options?: SubmitHostedOptions): Promise<void>
  /** Cancels the run, even before it starts. The first reason counts. Does nothing if the run has ended. */
  cancel(reason?: CancelReason): Promise<void>
  /**
   * Sends a steering message, as `Run.steer` does. Resolves when the journal has it.
   * @throws ParleyError `run-ended`, `input-rejected`, `queue-full`.
   */
  steer(message: string | UserMessage): Promise<void>
  /** Queues a message that the run takes when it would otherwise end. Throws what `steer` throws. */
  followUp(message: string | UserMessage): Promise<void>
  /**
   * Yields the run's entries as workers write them, and events of the live bus between them, until the run ends. After
   * `run.resumed`, discard the text deltas of the unfinished answer: the model call is made again.
   */
  events(options?: FollowOptions): AsyncIterable<RunEvent>
}
