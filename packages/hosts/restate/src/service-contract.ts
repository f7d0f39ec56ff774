import type { CancelReason } from '@parley/core'
import type { ObjectContext, WorkflowContext, WorkflowSharedContext } from '@restatedev/restate-sdk'
import type { RunOrder, RunReport, SentDecision, SentInput } from './run-order.ts'

/** Names of the services in Restate. Clients and handlers find the services by these names. */
export const RUN_SERVICE = 'parley-run'
export const SESSION_SERVICE = 'parley-session'

/** Handlers of the workflow `parley-run`. Its key is the id of the run. */
export type RunHandlers = {
  /** Drives the run to its end. Only `parley-session` and parent runs call it. */
  readonly run: (context: WorkflowContext, order: RunOrder) => Promise<RunReport>
  readonly decide: (context: WorkflowSharedContext, decision: SentDecision) => Promise<void>
  readonly cancel: (context: WorkflowSharedContext, reason: CancelReason) => Promise<void>
  readonly send: (context: WorkflowSharedContext, input: SentInput) => Promise<void>
  /** Waits for the end of the run. */
  readonly result: (context: WorkflowSharedContext) => Promise<RunReport>
}

/** Handlers of the virtual object `parley-session`. Its key is a `sessionKey`. */
export type SessionHandlers = {
  /** Starts a run and waits for its end, so that the next run of the session starts after it. */
  readonly turn: (context: ObjectContext, order: RunOrder) => Promise<void>
}

/** The key of a session's virtual object. Sessions of different scopes may have the same id. */
export function sessionKey(scope: string, sessionId: string): string {
  return `${encodeURIComponent(scope)}/${encodeURIComponent(sessionId)}`
}

/** Durable promises of a run's workflow. Its shared handlers resolve them. */
export const promiseNames = {
  /** Resolved when the run starts: after the earlier runs of its session. */
  started: 'started',
  cancel: 'cancel',
  ended: 'ended',
  decision: (approvalId: string): string => `decision ${approvalId}`,
  input: (index: number): string => `input ${index}`,
  /** Resolved when the journal contains the input, or when the run rejects it. */
  answer: (index: number): string => `answer ${index}`,
} as const
