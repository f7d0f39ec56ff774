import { openRequests, type RunState } from '@parley/engine/journal'
import type { OpenCall } from '@parley/engine/host'
import type { SentDecision } from './run-order.ts'

/** What a run can do next, read from its journal. Restate records this value as the result of a step, so it is small. */
export interface PendingWork {
  /** Whether the run is suspended for approval. */
  readonly suspended: boolean
  /** Approvals that the run, or a child run, waits for. */
  readonly approvalIds: readonly string[]
  /** Decisions that this run has recorded and that child runs must receive. */
  readonly decisions: readonly ChildDecision[]
  /** Open calls that need no approval now. */
  readonly calls: readonly OpenCall[]
}

/** A decision for a child run. */
export interface ChildDecision {
  readonly runId: string
  readonly sent: SentDecision
}

export const NO_PENDING_WORK: PendingWork = { suspended: false, approvalIds: [], decisions: [], calls: [] }

export function pendingWorkOf({ calls = [] }: RunState, suspended: boolean): PendingWork {
  const open = calls.filter(({ result }) => result === undefined)
  const children = open.flatMap(call => call.children ?? []).filter(({ result }) => result === undefined)
  return {
    suspended,
    approvalIds: open.flatMap(openRequests).map(({ approvalId }) => approvalId),
    decisions: children.flatMap(({ runId, decisions }) => decisions.map(sent => ({ runId, sent }))),
    calls: open.filter(call => openRequests(call).length === 0).map(({ call: { callId, name } }) => ({ callId, name })),
  }
}
