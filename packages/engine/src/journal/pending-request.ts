import type { ApprovalRequest, ClientCall } from '@parley/core'

/**
 * A request that a call waits for: an approval, or the result of a call that the client executes. Both are suspended,
 * passed to parent runs, answered once and timed out in the same way. `approvalId` is the id of either.
 */
export interface PendingRequest extends ApprovalRequest {
  /** Whether the call waits for its result. */
  readonly client?: true | undefined
  /** `client` if the client executes the call, not another system. */
  readonly execution?: 'client' | undefined
}

/** Pending requests by their kind, as entries and results show them. */
export interface Requests {
  readonly approvals: readonly ApprovalRequest[]
  readonly clientCalls?: readonly ClientCall[] | undefined
}

export function fromClientCall({ requestId: approvalId, ...call }: ClientCall): PendingRequest {
  return { ...call, approvalId, prompt: '', client: true }
}

function toClientCall(request: PendingRequest): ClientCall {
  const { approvalId: requestId, runId, callId, name, execution, input, expiresInMs, expiresAt } = request
  const by = execution === undefined ? {} : { execution }
  const origin = runId === undefined ? {} : { runId }
  const expiry = expiresInMs === undefined || expiresAt === undefined ? {} : { expiresInMs, expiresAt }
  return { requestId, ...origin, callId, name, ...by, input, ...expiry }
}

export function joinRequests({ approvals, clientCalls = [] }: Requests): readonly PendingRequest[] {
  return clientCalls.length === 0 ? approvals : [...approvals, ...clientCalls.map(fromClientCall)]
}

/** Separates approvals from calls that wait for the client. `clientCalls` is absent if no call waits. */
export function splitRequests(requests: readonly PendingRequest[]): {
  readonly approvals: ApprovalRequest[]
  readonly clientCalls?: ClientCall[]
} {
  const clientCalls = requests.filter(request => request.client).map(toClientCall)
  const approvals = requests.filter(request => !request.client)
  return clientCalls.length === 0 ? { approvals } : { approvals, clientCalls }
}
