import { ParleyError, type ApprovalRequest, type RunRecord, type Store } from '@parley/core'
import { pendingRequests } from '../../run-context/requests/pending-requests.ts'
import type { ApprovalQuery } from '../runtime-options.ts'

/** A pending request for approval. `runId` is the run that made the call. */
export type PendingApproval = ApprovalRequest & { readonly runId: string }

/** Returns the pending approvals of the unfinished runs of a scope, those of the newest runs first. */
export async function pendingApprovals(
  store: Store,
  { scope = 'default', sessionId, runId: only, role }: ApprovalQuery,
): Promise<readonly PendingApproval[]> {
  const found = new Map<string, PendingApproval>()
  const runIds = only === undefined ? await unfinished(store, scope, sessionId) : [only]
  for (const runId of runIds) {
    for (const request of await approvalsOf(store, runId)) {
      const { approvalId, roles } = request
      if (role === undefined || roles === undefined || roles.includes(role))
        found.set(approvalId, { ...request, runId: request.runId ?? runId })
    }
  }
  return [...found.values()]
}

/** Finds the run that asks for an approval. @throws ParleyError `approval-unknown`. */
export async function runOfApproval(store: Store | undefined, approvalId: string, scope = 'default'): Promise<string> {
  for (const runId of store === undefined ? [] : await unfinished(store, scope, undefined)) {
    const approvals = store === undefined ? [] : await approvalsOf(store, runId)
    if (approvals.some(request => request.approvalId === approvalId)) return runId
  }
  throw new ParleyError({ code: 'approval-unknown', approvalId })
}

/**
 * Returns the ids of the unfinished root runs. Running runs are queried first, so a run that is suspended between the
 * two queries is not missed.
 */
async function unfinished(store: Store, scope: string, sessionId: string | undefined): Promise<readonly string[]> {
  const query = { scope, sessionId, limit: Number.MAX_SAFE_INTEGER }
  const running = await store.runs({ ...query, status: 'running' })
  const suspended = await store.runs({ ...query, status: 'suspended' })
  const isRoot = ({ relation }: RunRecord): boolean => relation !== 'sub-agent'
  return [...new Set([...suspended, ...running].filter(isRoot).map(({ runId }) => runId))]
}

async function approvalsOf(store: Store, runId: string): Promise<readonly ApprovalRequest[]> {
  try {
    return (await pendingRequests(store, runId)).approvals
  } catch (error) {
    // The run was removed after it was found.
    if (ParleyError.is(error, 'run-unknown')) return []
    throw error
  }
}
