import type { ApprovalDecision, CancelReason, Model, Store, Submission, Tool } from '@parley/core'

/** An agent of the suite. Pass it to `defineAgent` of `@parley/engine`. */
export interface HostAgent {
  readonly name: string
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly toolExecution?: 'sequential' | undefined
}

/** One process of the suite. */
export interface HostProcess {
  readonly agents: readonly HostAgent[]
  /** The store that all processes of a test share. */
  readonly store: Store
}

/** A run to start. The suite uses every run id once. */
export interface HostOrder {
  readonly runId: string
  readonly sessionId: string
  readonly agent: string
  readonly input: string
}

/**
 * A process whose runs the host drives. `start`, `resume` and `decide` resolve when the run has ended or is suspended, or
 * when this process has stopped driving it.
 */
export interface HostWorker {
  start(order: HostOrder): Promise<void>
  /** Drives a run that an earlier process left. A host that resumes runs by itself only waits. */
  resume(runId: string): Promise<void>
  /** Decides on a tool call of a run that is suspended for approval, or submits the result of a pending call. */
  decide(runId: string, requestId: string, decision: ApprovalDecision | Submission): Promise<void>
  cancel(runId: string, reason: CancelReason): Promise<void>
  /**
   * Ends the process as a deployment does: without waiting for handlers, and so that other processes can resume its runs.
   * The suite calls it once for each worker. Nothing is written after it resolves.
   */
  release(): Promise<void>
}
