import type { Entry } from '@parley/core'

/** What a run decided, without times, ids and the texts that a request shows. */
export type Decision = Readonly<Record<string, unknown>>

/**
 * Returns the decisions of a run in the order of the model's calls: tools of one answer can end in any order. Entries that a request to
 * the model shows, and entries of the process that drove the run, are left out.
 */
export function decisionsOf(entries: readonly Entry[]): readonly Decision[] {
  const decisions: Decision[] = []
  let order: readonly string[] = []
  let ofAnswer: { readonly rank: number; readonly decision: Decision }[] = []
  const flush = (): void => {
    decisions.push(...ofAnswer.toSorted((a, b) => a.rank - b.rank).map(({ decision }) => decision))
    ofAnswer = []
  }
  for (const entry of entries) {
    if (entry.type === 'message.appended' && entry.message.role === 'assistant') {
      flush()
      order = entry.message.content.flatMap(part => (part.type === 'tool-call' ? [part.callId] : []))
    }
    const decision = toDecision(entry)
    if (decision === undefined) continue
    const callId = callOf(entry)
    if (callId === undefined) {
      flush()
      decisions.push(decision)
    } else ofAnswer.push({ rank: order.indexOf(callId), decision })
  }
  flush()
  return decisions
}

function callOf(entry: Entry): string | undefined {
  if (entry.type === 'approval.requested') return entry.request.callId
  return entry.type === 'tool.started' || entry.type === 'tool.ended' ? entry.callId : undefined
}

function toDecision(entry: Entry): Decision | undefined {
  switch (entry.type) {
    case 'run.started':
      return { run: entry.agent, model: entry.model }
    case 'tool.started':
      return { tool: entry.name, input: entry.input }
    case 'tool.ended':
      return { result: entry.name, error: entry.error?.code ?? null, message: entry.message.content }
    case 'approval.requested': {
      const { name, input, prompt, roles } = entry.request
      return { approval: name, input, prompt, ...(roles === undefined ? {} : { roles }) }
    }
    case 'agent.changed':
      return { handoff: entry.to, carryContext: entry.carryContext }
    case 'input.filtered':
      return { filtered: entry.verdict, filter: entry.filter }
    case 'context.compacted':
      return { compacted: entry.policy, trigger: entry.trigger, messages: entry.after.messages }
    case 'output.accepted':
      return { output: entry.value }
    case 'output.rejected':
      return { outputRejected: entry.issues }
    case 'limit.reached':
      return { limit: entry.hit.limit, max: entry.hit.max }
    case 'run.ended':
      return { ended: entry.outcome.status, ...('error' in entry.outcome ? { error: entry.outcome.error.code } : {}) }
    // Child runs are replayed on their own.
    case 'agent.started':
    case 'run.resumed':
    case 'run.suspended':
    case 'run.failed':
    case 'instructions.evaluated':
    case 'message.appended':
    case 'input.queued':
    case 'input.dropped':
    case 'request.kept':
    case 'model.called':
    case 'model.failed':
    case 'answer.discarded':
    case 'approval.decided':
    case 'tool.requested':
    case 'tool.submitted':
    case 'agent.suspended':
    case 'agent.ended':
    case 'cancel.requested':
      return undefined
  }
}
