import { ParleyError } from '@parley/core'
import type { DecidedApproval } from './decided-approval.ts'
import type { RunState } from '../journal/run-state.ts'

/**
 * Whether the state waits for this decision, by this person.
 * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden`.
 */
export function checkDecision(state: RunState, decided: DecidedApproval & { readonly runId: string }): void {
  const { runId, approvalId, by } = decided
  if (!state.approvals.has(approvalId)) throw new ParleyError({ code: 'approval-unknown', runId, approvalId })
  const waiting = state.calls?.find(({ approval }) => approval?.request.approvalId === approvalId)?.approval
  if (waiting === undefined || waiting.decision !== undefined) {
    throw new ParleyError({ code: 'approval-decided', runId, approvalId })
  }
  const { roles } = waiting.request
  if (roles !== undefined && !roles.some(role => by?.roles.includes(role))) {
    throw new ParleyError({ code: 'approval-forbidden', approvalId, roles })
  }
}
