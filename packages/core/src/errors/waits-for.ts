import type { ApprovalRequest } from '../schema/approval.ts'
import type { ClientCall } from '../schema/client-call.ts'

/** Says what a suspended run waits for: each approval, and each call whose result the client or another system submits. */
export function waitsFor({
  approvals,
  clientCalls,
}: {
  readonly approvals: readonly ApprovalRequest[]
  readonly clientCalls: readonly ClientCall[]
}): string[] {
  return [
    ...approvals.map(({ name, approvalId }) => `approval '${approvalId}' of a call of '${name}'`),
    ...clientCalls.map(({ name, callId, execution }) => {
      const whose = execution === 'client' ? ' from the client' : ''
      return `the result of call '${callId}' of '${name}'${whose}`
    }),
  ]
}
