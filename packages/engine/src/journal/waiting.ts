import type { ApprovalRequest } from '@parley/core'
import type { CallState } from './run-state.ts'

/** The requests of a call, and of the sub-agents that work for it, that nobody has decided yet. */
export function openRequests({ approval, children = [] }: CallState): readonly ApprovalRequest[] {
  if (approval !== undefined && approval.decision === undefined) return [approval.request]
  return children.flatMap(child => child.approvals)
}

/** Whether only a person can bring the call on. */
export function isWaiting({ approval, children = [] }: CallState): boolean {
  if (approval !== undefined && approval.decision === undefined) return true
  return children.some(child => child.suspended) && !children.some(isOngoing)
}

/** Whether the sub-agent has something left to do that waits for nobody. */
function isOngoing({ result, suspended }: NonNullable<CallState['children']>[number]): boolean {
  return result === undefined && !suspended
}
