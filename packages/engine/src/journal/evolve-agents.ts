import { addCost, addUsage, userMessage, type EntryOf } from '@parley/core'
import type { CallState, ChildState, ContextState, RunState } from './run-state.ts'

/** The fold of an entry about child runs or handoffs. */
export function evolveAgents(
  state: RunState,
  entry: EntryOf<'agent.started' | 'agent.suspended' | 'agent.ended' | 'agent.changed'>,
): Partial<RunState> {
  switch (entry.type) {
    case 'agent.started':
      return { calls: addChild(state.calls, entry) }
    case 'agent.suspended':
      return suspended(state, entry)
    case 'agent.ended':
      return ended(state, entry)
    case 'agent.changed':
      return changed(state, entry)
  }
}

/** Keeps a decision about a child run's call until the child run receives it. */
export function decideForChild(call: CallState, entry: EntryOf<'approval.decided'>): CallState {
  const { approvalId, decision, by } = entry
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

function asksFor({ approvals }: ChildState, approvalId: string): boolean {
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
  return calls?.map(call =>
    call.call.callId === callId ? { ...call, children: [...(call.children ?? []), child] } : call,
  )
}

function suspended(state: RunState, entry: EntryOf<'agent.suspended'>): Partial<RunState> {
  const approvals = new Set(state.approvals)
  for (const { approvalId } of entry.approvals) approvals.add(approvalId)
  const calls = state.calls?.map(call => {
    if (call.call.callId !== entry.callId) return call
    const children = call.children?.map(child =>
      child.runId === entry.childRunId && child.result === undefined
        ? { ...child, suspended: true, approvals: entry.approvals, decisions: [] }
        : child,
    )
    // The attempt ends here without a result, so the handler is called again whatever the tool's effect is.
    return { ...call, attempts: 0, effect: undefined, children }
  })
  return { approvals, calls }
}

function ended(state: RunState, entry: EntryOf<'agent.ended'>): Partial<RunState> {
  const { callId, childRunId: runId, outcome, text, output, usage, cost, turns } = entry
  let counted = false
  const calls = state.calls?.map(call => {
    if (call.call.callId !== callId) return call
    const children = call.children?.map(child => {
      if (child.runId !== runId || child.result !== undefined) return child
      counted = true
      const result = { outcome, text, output, usage, cost, turns }
      return { ...child, suspended: false, approvals: [], decisions: [], result }
    })
    return { ...call, children }
  })
  if (!counted) return {}
  return { calls, usage: addUsage(state.usage, usage), cost: addCost(state.cost, cost) }
}

function changed(state: RunState, entry: EntryOf<'agent.changed'>): Partial<RunState> {
  const { to, carryContext, task } = entry
  const { transcript, context } = state
  return {
    agent: to,
    handoffs: [...state.handoffs, to],
    handoff: undefined,
    context: carryContext ? context : hidden(context, transcript.length),
    // The counted tokens belong to the former agent's model, instructions and tools.
    lastInput: { tokens: 0, length: 0 },
    transcript: task === undefined ? transcript : transcript.append(userMessage(task)),
  }
}

/** Hides the transcript before `floor` from the model. */
function hidden(context: ContextState, floor: number): ContextState {
  return { ...context, floor, overlay: { parts: [], messages: [], end: floor } }
}
