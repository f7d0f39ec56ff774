import { ParleyError, type ApprovalRequest } from '@parley/core'
import type { DecidedApproval } from './decided-approval.ts'
import type { RunState } from '../journal/run-state.ts'
import { openRequests } from '../journal/waiting.ts'

/**
 * Whether the state waits for this decision, by this person.
 * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden`.
 */
export function checkDecision(state: RunState, decided: DecidedApproval & { readonly runId: string }): void {
  const { runId, approvalId, by } = decided
  if (!state.approvals.has(approvalId)) throw new ParleyError({ code: 'approval-unknown', runId, approvalId })
  const waiting = findRequest(state, approvalId)
  if (waiting === undefined) throw new ParleyError({ code: 'approval-decided', runId, approvalId })
  const { roles } = waiting
  if (roles !== undefined && !roles.some(role => by?.roles.includes(role))) {
    throw new ParleyError({ code: 'approval-forbidden', approvalId, roles })
  }
}

/** The request of that id, as long as nobody has decided it. */
export function findRequest({ calls = [] }: RunState, approvalId: string): ApprovalRequest | undefined {
  return calls.flatMap(openRequests).find(request => request.approvalId === approvalId)
}
