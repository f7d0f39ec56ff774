import type { ApprovalDecision, Principal } from '@parley/core'
import type { RunContext } from '../run-context.ts'

export interface Decided {
  readonly approvalId: string
  readonly decision: ApprovalDecision
  readonly by?: Principal | undefined
}

/** Writes a decision that has been checked, and lets go of whoever is still being asked. */
export function recordDecision(run: RunContext, { approvalId, decision, by }: Decided): void {
  run.journal.record({ type: 'approval.decided', approvalId, decision, ...(by === undefined ? {} : { by }) })
  run.approvals.announce(approvalId)
}
