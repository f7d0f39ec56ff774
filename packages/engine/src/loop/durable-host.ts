import type { Outcome } from '@parley/core'
import type { ChildOrder } from '../run-context/children/child-order.ts'
import type { Suspended } from '../run-context/run-result.ts'
import type { BrokenChild } from '../steps/delegation/collect-children.ts'
import type { OpenCall } from '../steps/tools/run-tools.ts'

/** How a driver left a run: ended, or suspended until a process resumes it. */
export type Ending = Outcome | Suspended

/** A tool call that waits for child runs. The host starts these. */
export interface PendingCall {
  readonly children: readonly ChildOrder[]
  /** Milliseconds the call may take. @default as long as its child runs take */
  readonly timeoutMs?: number | undefined
}

/** What happened to a call while the host ran its child runs. How they ended is in their journals. */
export interface CallUpdate {
  /** Child runs without an outcome: they could not start, or stopped early. @default none */
  readonly broken?: readonly BrokenChild[] | undefined
  /** Whether the call exceeded its timeout. The timeout is then its result. @default false */
  readonly timedOut?: boolean | undefined
}

/** The work of a run, one step after another. Every method rejects if the store fails or another worker has claimed the run. */
export interface Steps {
  /**
   * Performs the next step, for example a model call or the tools of an answer. Resolves to the ending after the last
   * step.
   */
  take(): Promise<Ending | undefined>
  /**
   * The calls that the next step would run, in batches: calls of a batch may run concurrently, batches one after
   * another. `undefined` if the next step is something else. Changes nothing.
   */
  openCalls(): readonly (readonly OpenCall[])[] | undefined
  /**
   * Runs one call until it has a result or a request for approval, and makes that durable. Does nothing for a call that
   * already has one. If a steering message is queued, a call that has not started is skipped once another call has
   * started.
   * @returns The child runs that the host must start, if the call waits for them.
   */
  call(callId: string, update?: CallUpdate): Promise<PendingCall | undefined>
  /**
   * Records that a child run is suspended for approval, and makes that durable. Does nothing if the child run has
   * continued.
   */
  childSuspended(runId: string): Promise<void>
  /** Whether every open call waits for an answer from outside, so that the next step asks the approvers or suspends the run. */
  readonly isWaiting: boolean
  /** Makes the records of the last step durable now instead of with the next step. `undefined` if they already are. */
  commit(): Promise<void> | undefined
}

/**
 * Decides where and when the steps of a run are taken. The journal alone says what the steps did: a process that resumes
 * the run decides again from it. So a host may repeat a step whose outcome it does not know. A host that remembers a step
 * as done calls `commit` first.
 */
export interface DurableHost {
  /**
   * Whether the host starts child runs, as `PendingCall` describes them: each with `Runtime.run`, in any process. The
   * handler of the call is then called again after they have ended. A child run stays within its call in three cases:
   * its tool must not be executed again, it has its own signal, or the runtime does not know its agent by name.
   * @default false
   */
  readonly runsChildren?: boolean | undefined
  /**
   * Takes steps until one resolves to an ending, and resolves to that ending. If it rejects, this process writes
   * nothing more, stops the handlers and leaves the run to be resumed.
   */
  drive(steps: Steps): Promise<Ending>
}
