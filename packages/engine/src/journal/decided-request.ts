import type { ApprovalDecision, Principal, Submission } from '@parley/core'

/** The answer to one pending request: a decision, or the end of a call that the client executes. */
export interface DecidedRequest {
  readonly approvalId: string
  readonly decision: ApprovalDecision | Submission
  /** The principal who answered. `undefined` if the caller named none. */
  readonly by?: Principal | undefined
}
