import { loadRun } from '../../run-context/load-run.ts'
import { openRequests } from '../../journal/waiting.ts'
import type { RunScope } from '../../run-context/run-scope.ts'

/** Records that a sub-agent whose run goes on elsewhere waits for a person, if it still does. */
export async function noteAsking(run: RunScope, childRunId: string): Promise<void> {
  const { store } = run.context
  const record = await store?.run(childRunId)
  if (store === undefined || record?.status !== 'suspended') return
  const { calls = [] } = await loadRun(store, childRunId)
  const approvals = calls.flatMap(openRequests).map(request => ({ ...request, runId: request.runId ?? childRunId }))
  for (const { call, children = [] } of run.state.calls ?? []) {
    const child = children.find(({ runId }) => runId === childRunId)
    if (child === undefined || child.result !== undefined) continue
    const isNoted = child.suspended && approvals.length === child.approvals.length
    const known = child.approvals.map(({ approvalId }) => approvalId)
    // A decision that is on its way to it has not been heard by it.
    const isDecided = ({ approvalId }: { readonly approvalId: string }): boolean =>
      child.decisions.some(decided => decided.approvalId === approvalId)
    if (isNoted && approvals.every(({ approvalId }) => known.includes(approvalId))) return
    if (approvals.length === 0 || approvals.some(isDecided)) return
    run.journal.record({ type: 'agent.suspended', callId: call.callId, childRunId, approvals })
  }
}
