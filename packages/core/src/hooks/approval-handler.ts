import type { RunFacts } from '../run/run-facts.ts'
import type { ApprovalDecision, ApprovalRequest } from '../schema/approval.ts'

/**
 * Decides whether a tool call that requires approval runs. An agent has such a handler as `onApproval`. The run stays
 * in this process until the handler returns. An error of the handler rejects the call.
 */
export type ApprovalHandler = (
  request: ApprovalRequest,
  options: ApprovalHandlerOptions,
) => Promise<ApprovalDecision> | ApprovalDecision

/** What a handler of approvals knows besides the request. */
export interface ApprovalHandlerOptions {
  /** The run that the call belongs to. */
  readonly run: RunFacts
  /** Aborted when the run stops waiting for the decision. */
  readonly signal: AbortSignal
}
