import { canonicalJson, type ApprovalDecision, type Json, type Principal } from '@parley/core'
import type { RunHistory } from '../history/index.ts'

/** A decision that an approver made in a recorded run. */
export interface RecordedDecision {
  readonly decision: ApprovalDecision
  readonly by?: Principal | undefined
}

/** The decisions of the approvers of a recorded run, by the call that they are about. */
export interface RecordedDecisions {
  /** Takes the next decision about a call of this tool with this input. `undefined` if there is none. */
  take(name: string, input: Json): RecordedDecision | undefined
}

/** Creates the decisions of a run and its child runs. Each one is handed out once, in recorded order. */
export function createRecordedDecisions({ runs }: RunHistory): RecordedDecisions {
  const byCall = new Map<string, RecordedDecision[]>()
  for (const { entries } of runs) {
    const calls = new Map<string, string>()
    for (const entry of entries) {
      if (entry.type === 'approval.requested') {
        const { approvalId, name, input } = entry.request
        calls.set(approvalId, keyOf(name, input))
      }
      const key = entry.type === 'approval.decided' ? calls.get(entry.approvalId) : undefined
      if (entry.type !== 'approval.decided' || key === undefined) continue
      const { decision, by } = entry
      byCall.set(key, [...(byCall.get(key) ?? []), { decision, by }])
    }
  }
  return { take: (name, input) => byCall.get(keyOf(name, input))?.shift() }
}

function keyOf(name: string, input: Json): string {
  return `${name} ${canonicalJson(input)}`
}
