import type { CancelReason, Json, Principal, UserMessage } from '@parley/core'
import type { Agent } from '../../agent/agent.ts'
import type { DecidedRequest } from '../../journal/decided-request.ts'
import type { ParentCall } from './parent-call.ts'
import type { RunResult } from '../run-result.ts'

/** Drives the child runs of a run in this process. */
export interface ChildRuns {
  start(request: ChildStart): ChildRun
  /** Resumes a child run in this process. @throws ParleyError as `Runtime.resume`. */
  resume(request: ChildResume): Promise<ChildRun>
}

/** A child run that this process drives. */
export interface ChildRun {
  readonly runId: string
  readonly result: Promise<RunResult>
  /** The output as the model gave it, before the output schema transforms it. */
  readonly accepted: Json | undefined
  /** Stops the run; it ends as cancelled. */
  cancel(reason: CancelReason): Promise<void>
  /** Stops driving the run and leaves it to be resumed. */
  release(): Promise<void>
  /** Stops at once, as if the store had failed: nothing more is written, and the run can be resumed. */
  abandon(cause: unknown): void
}

export interface ChildStart {
  readonly parent: ParentCall
  readonly runId: string
  readonly agent: Agent
  readonly input: string | UserMessage
  readonly options: {
    readonly scope: string
    readonly principal?: Principal | undefined
    readonly sessionId?: string | undefined
    readonly variables?: Readonly<Record<string, Json>> | undefined
    readonly workspace?: string | undefined
  }
}

export interface ChildResume {
  readonly parent: ParentCall
  readonly runId: string
  /** The agent as the handler gave it: the runtime may not know it by name. Not needed to cancel. */
  readonly agent?: Agent | undefined
  /** Decisions that the parent run knows of; the child run may have received some before. */
  readonly decisions?: readonly DecidedRequest[] | undefined
  /** Ends the run as cancelled instead of continuing its work. */
  readonly cancel?: CancelReason | undefined
}
