import { addCost, addUsage, type EntryOf } from '@parley/core'
import type { DecidedRequest } from './decided-request.ts'
import { patchCall } from './patch-call.ts'
import { joinRequests, type PendingRequest } from './pending-request.ts'
import type { CallState, ChildState, NextState } from './run-state.ts'

/** Writes an entry about a child run into the state. The usage of a child run that ended counts for its parent run. */
export function foldChild(next: NextState, entry: EntryOf<'agent.started' | 'agent.suspended' | 'agent.ended'>): void {
  switch (entry.type) {
    case 'agent.started':
      next.calls = addChild(next.calls, entry)
      return
    case 'agent.suspended':
      return foldSuspended(next, entry)
    case 'agent.ended':
      return foldEnded(next, entry)
  }
}

/** Keeps the answer to a child run's request until the child run receives it. */
export function answerForChild(call: CallState, { approvalId, decision, by }: DecidedRequest): CallState {
  if (call.children?.some(child => asksFor(child, approvalId)) !== true) return call
  const children = call.children.map(child =>
    asksFor(child, approvalId)
      ? {
          ...child,
          suspended: false,
          approvals: child.approvals.filter(request => request.approvalId !== approvalId),
          decisions: [...child.decisions, { approvalId, decision, by }],
        }
      : child,
  )
  return { ...call, children }
}

function asksFor({ approvals }: Pick<ChildState, 'approvals'>, approvalId: string): boolean {
  return approvals.some(request => request.approvalId === approvalId)
}

function addChild(
  calls: readonly CallState[] | undefined,
  { callId, key, childRunId: runId, agent }: EntryOf<'agent.started'>,
): readonly CallState[] | undefined {
  const child: ChildState = {
    key,
    runId,
    agent,
    suspended: false,
    approvals: [],
    decisions: [],
    result: undefined,
  }
  return patchCall(calls, callId, call => ({ ...call, children: [...(call.children ?? []), child] }))
}

function foldSuspended(next: NextState, entry: EntryOf<'agent.suspended'>): void {
  const approvals = new Set(next.approvals)
  const requests = joinRequests(entry)
  for (const { approvalId } of requests) approvals.add(approvalId)
  next.approvals = approvals
  next.calls = patchCall(next.calls, entry.callId, call => {
    const children = call.children?.map(child =>
      child.runId === entry.childRunId && child.result === undefined ? waitingFor(child, requests) : child,
    )
    // The attempt ends here without a result, so the handler is called again whatever the tool's effect is.
    return { ...call, effect: undefined, children }
  })
}

/**
 * The child run waits for answers to `requests`. A request may have been answered since the child run asked: the answer is
 * kept, and the child run can continue with it.
 */
function waitingFor(child: ChildState, requests: readonly PendingRequest[]): ChildState {
  const decisions = child.decisions.filter(decided => asksFor({ approvals: requests }, decided.approvalId))
  const isDecided = ({ approvalId }: PendingRequest): boolean =>
    decisions.some(decided => decided.approvalId === approvalId)
  return {
    ...child,
    suspended: decisions.length === 0,
    approvals: requests.filter(request => !isDecided(request)),
    decisions,
  }
}

function foldEnded(next: NextState, entry: EntryOf<'agent.ended'>): void {
  const { callId, childRunId: runId, outcome, text, output, usage, cost, turns } = entry
  let counted = false
  const calls = patchCall(next.calls, callId, call => {
    const children = call.children?.map(child => {
      if (child.runId !== runId || child.result !== undefined) return child
      counted = true
      const result = { outcome, text, output, usage, cost, turns }
      return { ...child, suspended: false, approvals: [], decisions: [], result }
    })
    return { ...call, children }
  })
  if (!counted) return
  next.calls = calls
  next.usage = addUsage(next.usage, usage)
  next.cost = addCost(next.cost, cost)
}
