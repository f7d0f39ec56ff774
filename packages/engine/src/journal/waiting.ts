import type { ApprovalRequest } from '@parley/core'
import type { CallState } from './run-state.ts'

/** The undecided requests for approval of a call and of its child runs. */
export function openRequests({ approval, children = [] }: CallState): readonly ApprovalRequest[] {
  if (approval !== undefined && approval.decision === undefined) return [approval.request]
  return children.flatMap(child => child.approvals)
}

/** Whether the call can continue only after an approval. */
export function isWaiting({ approval, children = [] }: CallState): boolean {
  if (approval !== undefined && approval.decision === undefined) return true
  return children.some(child => child.suspended) && !children.some(isOngoing)
}

/** Whether the child run can continue without an approval. */
function isOngoing({ result, suspended }: NonNullable<CallState['children']>[number]): boolean {
  return result === undefined && !suspended
}
