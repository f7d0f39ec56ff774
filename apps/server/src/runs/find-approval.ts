import { ParleyError } from '@parley/core'
import { loadRun } from '@parley/engine'
import type { ServerContext } from '../state/server-context.ts'

export interface ApprovalQuery {
  readonly approvalId: string
  /** @default any of the scope's */
  readonly sessionId?: string | undefined
}

/** As many waiting runs are looked at, the newest. */
const MOST_WAITING = 1000

/**
 * The run that waits for a decision about this approval.
 * @throws ParleyError `approval-unknown`.
 */
export async function findApproval(server: ServerContext, scope: string, query: ApprovalQuery): Promise<string> {
  const { approvalId, sessionId } = query
  for (const { runId } of await server.store.runs({ scope, sessionId, status: 'suspended', limit: MOST_WAITING })) {
    const { approvals } = await loadRun(server.store, runId)
    if (approvals.has(approvalId)) return runId
  }
  throw new ParleyError({ code: 'approval-unknown', runId: 'any', approvalId })
}
