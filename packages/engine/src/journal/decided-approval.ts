import type { ApprovalDecision, Principal } from '@parley/core'

/** What a person has decided about one waiting call. */
export interface DecidedApproval {
  readonly approvalId: string
  readonly decision: ApprovalDecision
  /** Undefined when nobody was named. */
  readonly by: Principal | undefined
}
