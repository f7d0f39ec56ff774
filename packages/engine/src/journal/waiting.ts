import type { PendingRequest } from './pending-request.ts'
import type { CallState } from './run-state.ts'

/** The unanswered requests of a call and of its child runs. */
export function openRequests({ approval, client, children = [] }: CallState): readonly PendingRequest[] {
  if (approval !== undefined && approval.decision === undefined) return [approval.request]
  if (client !== undefined && client.submission === undefined) return [client.request]
  return children.flatMap(child => child.approvals)
}

/** Whether the call can continue only after an answer from outside. */
export function isWaiting({ approval, client, children }: CallState): boolean {
  if (approval !== undefined && approval.decision === undefined) return true
  if (client !== undefined && client.submission === undefined) return true
  if (children === undefined) return false
  return children.some(child => child.suspended) && !children.some(isOngoing)
}

/** Whether the child run can continue without an answer from outside. */
function isOngoing({ result, suspended }: NonNullable<CallState['children']>[number]): boolean {
  return result === undefined && !suspended
}
