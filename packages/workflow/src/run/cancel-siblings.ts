import type { Clock, ToolCall, ToolFailure, ToolOutcome } from '@parley/core'
import { stepOfCall } from '../compile/step-id.ts'

/** How long a stopped call may take to settle before it is abandoned. The engine uses the same time. */
const SETTLE_MS = 1_000

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
    const outcome = await settledIn(working, siblings.signal, clock)
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

/** Returns the outcome of the work; `undefined` if it does not settle in time after the signal. */
function settledIn(work: Promise<ToolOutcome>, signal: AbortSignal, clock: Clock): Promise<ToolOutcome | undefined> {
  return new Promise((resolve, reject) => {
    let callOff = (): void => {}
    const wait = (): void => {
      callOff = clock.after(SETTLE_MS, () => resolve(undefined))
    }
    const over = (): void => {
      signal.removeEventListener('abort', wait)
      callOff()
    }
    signal.addEventListener('abort', wait, { once: true })
    work.then(
      outcome => {
        over()
        resolve(outcome)
      },
      error => {
        over()
        reject(error as Error)
      },
    )
  })
}
