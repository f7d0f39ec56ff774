import { openRequests, type OpenCall, type RunState } from '@parley/engine'
import type { SentDecision } from './run-order.ts'

/** What has changed for a run whose calls wait for sub-agents. Small data, from its journal. */
export interface RunNews {
  /** Whether nothing of the run goes on by itself. */
  readonly waits: boolean
  /** What a person is asked, on behalf of the run or of a sub-agent. */
  readonly approvalIds: readonly string[]
  /** What was decided and is for a sub-agent's run to hear. */
  readonly decisions: readonly SubDecision[]
  /** Calls that wait for nobody. */
  readonly calls: readonly OpenCall[]
}

export interface SubDecision {
  readonly runId: string
  readonly sent: SentDecision
}

export const NO_NEWS: RunNews = { waits: false, approvalIds: [], decisions: [], calls: [] }

export function newsOf({ calls = [] }: RunState, waits: boolean): RunNews {
  const open = calls.filter(({ result }) => result === undefined)
  const children = open.flatMap(call => call.children ?? []).filter(({ result }) => result === undefined)
  return {
    waits,
    approvalIds: open.flatMap(openRequests).map(({ approvalId }) => approvalId),
    decisions: children.flatMap(({ runId, decisions }) => decisions.map(sent => ({ runId, sent }))),
    calls: open.filter(call => openRequests(call).length === 0).map(({ call: { callId, name } }) => ({ callId, name })),
  }
}
