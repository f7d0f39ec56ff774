import type { ApprovalRequest, ClientCall, Store } from '@parley/core'
import { splitRequests, type PendingRequest } from '../../journal/pending-request.ts'
import { isStopping } from '../../journal/run-state.ts'
import { openRequests } from '../../journal/waiting.ts'
import { loadRun } from '../stored/load-run.ts'

/** The requests that a run waits for: approvals, and results of the client. */
export interface Pending {
  readonly approvals: readonly ApprovalRequest[]
  /** The tool calls that wait for the client to execute them. */
  readonly clientCalls: readonly ClientCall[]
}

/**
 * The unanswered requests of a run and of the child runs below it, read from their journals. A child run that is still
 * running has requests that its parent run does not know yet.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function pendingRequests(store: Store, runId: string): Promise<Pending> {
  return { clientCalls: [], ...splitRequests(await findRequests(store, runId)) }
}

async function findRequests(store: Store, runId: string): Promise<readonly PendingRequest[]> {
  const state = await loadRun(store, runId)
  if (state.outcome !== undefined || isStopping(state)) return []
  const found = new Map<string, PendingRequest>()
  for (const call of state.calls ?? []) {
    if (call.result !== undefined) continue
    for (const request of openRequests(call)) found.set(request.approvalId, request)
    for (const { runId: childId, suspended, result, decisions } of call.children ?? []) {
      // The journal of the parent run names a child run before it exists.
      if (suspended || result !== undefined || (await store.run(childId)) === undefined) continue
      for (const request of await findRequests(store, childId)) {
        const { approvalId } = request
        const isDecided = decisions.some(decided => decided.approvalId === approvalId)
        if (!isDecided && !found.has(approvalId)) found.set(approvalId, { ...request, runId: request.runId ?? childId })
      }
    }
  }
  return [...found.values()]
}
