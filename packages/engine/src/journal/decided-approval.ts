import type { ApprovalDecision, Principal } from '@parley/core'

/** A decision about one request for approval. */
export interface DecidedApproval {
  readonly approvalId: string
  readonly decision: ApprovalDecision
  /** The approver. `undefined` if the caller named none. */
  readonly by?: Principal | undefined
}
