import { ParleyError, type ApprovalRequest, type ClientCall } from '@parley/core'
import type { UserDecision } from '../../ask/ask-approval.ts'

/** A call that waits for a decision. */
export interface PendingCall {
  /** The run that continues after the decision: the root run, if a child run made the call. */
  readonly runId: string
  readonly request: ApprovalRequest
}

/** A pending call in a list. */
export interface ListedCall extends PendingCall {
  /** Short id of the run. */
  readonly id: string
  /** Since when the call waits, roughly, in milliseconds since the epoch. */
  readonly since: number
}

/** The pending calls of a database or a server. */
export interface Approvals {
  /** Finds the first pending call of a run. @throws ParleyError `config-invalid` if the run waits for no approval. */
  find(wanted: string): Promise<PendingCall>
  list(): Promise<readonly ListedCall[]>
  /**
   * Decides about a call and prints how its run continues.
   * @param always Tools whose calls are approved without a question. @default none yet
   * @returns The exit code.
   */
  decide(call: PendingCall, decision: UserDecision, always?: Set<string>): Promise<number>
}

/** Returns the first pending call. @throws ParleyError `config-invalid` if there is none. */
export function firstPending(runId: string, { approvals, clientCalls }: PendingRequests): PendingCall {
  const [request] = approvals
  if (request !== undefined) return { runId, request }
  const hint = clientCalls.length > 0 ? "; it waits for the result of a client: see 'submit --help'" : ''
  throw new ParleyError({ code: 'config-invalid', path: `run '${runId}'`, detail: `waits for no approval${hint}` })
}

interface PendingRequests {
  readonly approvals: readonly ApprovalRequest[]
  readonly clientCalls: readonly ClientCall[]
}
