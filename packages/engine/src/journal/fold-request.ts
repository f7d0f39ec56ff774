import type { ApprovalDecision, EntryOf, Submission } from '@parley/core'
import type { DecidedRequest } from './decided-request.ts'
import { answerForChild } from './fold-child.ts'
import { patchCall } from './patch-call.ts'
import { fromClientCall } from './pending-request.ts'
import type { CallState, NextState } from './run-state.ts'
import { openRequests } from './waiting.ts'

/** Writes an entry about a request that a call waits for, or about its answer, into the state. */
export function foldRequest(
  next: NextState,
  entry: EntryOf<'approval.requested' | 'approval.decided' | 'tool.requested' | 'tool.submitted'>,
): void {
  switch (entry.type) {
    case 'approval.requested':
      return foldRequested(next, entry.request.callId, { approval: { request: entry.request, decision: undefined } })
    case 'tool.requested':
      return foldRequested(next, entry.call.callId, {
        client: { request: fromClientCall(entry.call), submission: undefined },
      })
    case 'approval.decided':
      next.calls = answered(next.calls, entry)
      return
    case 'tool.submitted': {
      const { requestId: approvalId, submission: decision, by } = entry
      next.calls = answered(next.calls, { approvalId, decision, by })
    }
  }
}

function foldRequested(
  next: NextState,
  callId: string,
  wait: Pick<CallState, 'client'> | Pick<CallState, 'approval'>,
): void {
  const request = 'approval' in wait ? wait.approval?.request : wait.client?.request
  next.approvals = new Set(next.approvals).add(request?.approvalId ?? '')
  // A request ends the attempt without a result, so the handler is called again whatever the tool's effect is.
  next.calls = patchCall(next.calls, callId, call => ({ ...call, effect: undefined, ...wait }))
}

function answered(calls: readonly CallState[] | undefined, answer: DecidedRequest): readonly CallState[] | undefined {
  const { approvalId, decision } = answer
  return calls?.map(state => {
    const [request] = openRequests(state)
    if (request?.approvalId !== approvalId || request.runId !== undefined) return answerForChild(state, answer)
    if (request.client) return { ...state, client: { request, submission: decision as Submission } }
    return { ...state, approval: { request, decision: decision as ApprovalDecision } }
  })
}
