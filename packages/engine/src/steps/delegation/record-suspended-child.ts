import { loadRun } from '../../run-context/stored/load-run.ts'
import { splitRequests } from '../../journal/pending-request.ts'
import { openRequests } from '../../journal/waiting.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** Records that a child run in another process is suspended and waits for an answer from outside, if it still is. */
export async function recordSuspendedChild(run: RunContext, childRunId: string): Promise<void> {
  const { store } = run.runtime
  const record = await store?.run(childRunId)
  if (store === undefined || record?.status !== 'suspended') return
  const { calls = [] } = await loadRun(store, childRunId)
  const approvals = calls.flatMap(openRequests).map(request => ({ ...request, runId: request.runId ?? childRunId }))
  for (const { call, children = [] } of run.state.calls ?? []) {
    const child = children.find(({ runId }) => runId === childRunId)
    if (child === undefined || child.result !== undefined) continue
    const isNoted = child.suspended && approvals.length === child.approvals.length
    const known = child.approvals.map(({ approvalId }) => approvalId)
    // The child run has not received this decision yet.
    const isDecided = ({ approvalId }: { readonly approvalId: string }): boolean =>
      child.decisions.some(decided => decided.approvalId === approvalId)
    if (isNoted && approvals.every(({ approvalId }) => known.includes(approvalId))) return
    if (approvals.length === 0 || approvals.some(isDecided)) return
    run.journal.record({ type: 'agent.suspended', callId: call.callId, childRunId, ...splitRequests(approvals) })
  }
}
