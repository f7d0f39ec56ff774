import type { ApprovalDecision, EntryOf, Submission } from '@parley/core'
import type { DecidedApproval } from './decided-approval.ts'
import { answerForChild } from './evolve-children.ts'
import { patchCall } from './patch-call.ts'
import { fromClientCall } from './pending-request.ts'
import type { CallState, RunState } from './run-state.ts'
import { openRequests } from './waiting.ts'

/** Returns the changes of the state after an entry about a request that a call waits for, or about its answer. */
export function evolveRequests(
  state: RunState,
  entry: EntryOf<'approval.requested' | 'approval.decided' | 'tool.requested' | 'tool.submitted'>,
): Partial<RunState> {
  switch (entry.type) {
    case 'approval.requested':
      return requested(state, entry.request.callId, { approval: { request: entry.request, decision: undefined } })
    case 'tool.requested':
      return requested(state, entry.call.callId, {
        client: { request: fromClientCall(entry.call), submission: undefined },
      })
    case 'approval.decided':
      return { calls: answered(state.calls, entry) }
    case 'tool.submitted': {
      const { requestId: approvalId, submission: decision, by } = entry
      return { calls: answered(state.calls, { approvalId, decision, by }) }
    }
  }
}

function requested(state: RunState, callId: string, wait: Pick<CallState, 'client'> | Pick<CallState, 'approval'>) {
  const request = 'approval' in wait ? wait.approval?.request : wait.client?.request
  const approvals = new Set(state.approvals).add(request?.approvalId ?? '')
  // A request ends the attempt without a result, so the handler is called again whatever the tool's effect is.
  return { approvals, calls: patchCall(state.calls, callId, { effect: undefined, ...wait }) }
}

function answered(calls: readonly CallState[] | undefined, answer: DecidedApproval): readonly CallState[] | undefined {
  const { approvalId, decision } = answer
  return calls?.map(state => {
    const [request] = openRequests(state)
    if (request?.approvalId !== approvalId || request.runId !== undefined) return answerForChild(state, answer)
    if (request.client) return { ...state, client: { request, submission: decision as Submission } }
    return { ...state, approval: { request, decision: decision as ApprovalDecision } }
  })
}
