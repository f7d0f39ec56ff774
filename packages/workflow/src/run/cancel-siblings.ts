import { untilOverdue, type Clock, type ToolCall, type ToolFailure, type ToolOutcome } from '@parley/core'
import { stepOfCall } from '../compile/step-id.ts'

export interface SiblingCall {
  readonly call: ToolCall
  /** Aborted when a concurrent step has failed. */
  readonly siblings: AbortController
  readonly clock: Clock
}

/**
 * Waits for a call that runs together with others of the same answer. If it fails, the others are cancelled.
 * @returns `undefined` if another call has failed and this one was cancelled.
 */
export async function cancelSiblings(
  working: Promise<ToolOutcome>,
  { call, siblings, clock }: SiblingCall,
): Promise<ToolOutcome | undefined> {
  // A call that is being cancelled may fail because of that, which must not stop its siblings.
  const stop = (): void => {
    if (!call.signal.aborted) siblings.abort(new Error(`its sibling step '${stepOfCall(call.callId)}' failed`))
  }
  try {
    const outcome = await untilOverdue(working, siblings.signal, clock)
    if (outcome === undefined || !hasFailed(outcome)) return outcome
    if (siblings.signal.aborted && !call.signal.aborted) return undefined
    stop()
    return outcome
  } catch (error) {
    stop()
    throw error
  }
}

/** Whether the call failed. A call that is suspended for approval has not: it continues after the decision. */
export function hasFailed(outcome: ToolOutcome): outcome is ToolFailure {
  return outcome.type === 'error' && outcome.error?.code !== 'run-suspended'
}
