import type { ApprovalDecision, ApprovalRequest, ClientCall } from '@parley/core'

/** A pending request for approval. `runId` is the run that made the call. */
export type WaitingApproval = ApprovalRequest & { readonly runId: string }

/** A tool call that waits for a result of the client. `runId` is the run that made the call. */
export type WaitingClientCall = ClientCall & { readonly runId: string }

/** A pending request for approval with its run: `GET /approvals`. */
export interface ApprovalItem extends WaitingApproval {
  readonly agent: string
  readonly sessionId: string
  /** Beginning of the run's input. */
  readonly preview?: string | undefined
  /** When the approval was requested, in milliseconds since the epoch. Absent if its entry has not arrived. */
  readonly requestedAt?: number | undefined
  /** Whether this client may decide: its access is `operator`, and it has one of the required roles. */
  readonly canDecide: boolean
}

/** All pending approvals of the client's scope, those of the newest runs first. */
export interface ApprovalList {
  readonly approvals: readonly ApprovalItem[]
}

/**
 * Body of `POST /approvals/{approvalId}`. `approved` runs the call, `rejected` tells the model the reason, `modified` runs the call
 * with another input, and `escalated` asks other roles, or hands the run over to another agent.
 */
export interface DecideRequest {
  readonly decision: Exclude<ApprovalDecision, { type: 'timed-out' }>
  /** The run of the approval, or a run above it. Spares a search through the unfinished runs. */
  readonly runId?: string | undefined
}
