import { canonicalJson, type ApprovalDecision, type ApprovalHandler } from '@parley/core'
import type { RunHistory } from './load-run-history.ts'

/**
 * Creates an approval handler that decides as the approvers of a recorded run did: for the same call, in recorded order. A call that
 * no one was asked about is rejected.
 */
export function createRecordedApprovals({ runs }: RunHistory): ApprovalHandler {
  const decisions = new Map<string, ApprovalDecision[]>()
  for (const { entries } of runs) {
    const asked = new Map<string, string>()
    for (const entry of entries) {
      if (entry.type === 'approval.requested') asked.set(entry.request.approvalId, keyOf(entry.request))
      const key = entry.type === 'approval.decided' ? asked.get(entry.approvalId) : undefined
      if (entry.type !== 'approval.decided' || key === undefined) continue
      decisions.set(key, [...(decisions.get(key) ?? []), entry.decision])
    }
  }
  return request =>
    decisions.get(keyOf(request))?.shift() ?? {
      type: 'rejected',
      reason: 'The recorded run has no decision about this call.',
    }
}

function keyOf({ name, input }: { readonly name: string; readonly input: unknown }): string {
  return `${name} ${canonicalJson(input)}`
}
