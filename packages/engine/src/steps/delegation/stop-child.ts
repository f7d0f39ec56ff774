import { ParleyError, type CancelReason } from '@parley/core'
import type { ChildRun } from '../../run-context/children/child-runs.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/**
 * Stops a child run together with its parent run. If the parent run is released, the child run is released. If the
 * parent run lost its store or its claim, the child run is abandoned. In all other cases it is cancelled.
 */
export function stopChild({ due }: RunContext, child: ChildRun, reason: unknown): void {
  if (due.released) void child.release()
  else if (ParleyError.is(reason) && reason.code.startsWith('store-')) child.abandon(reason)
  else void child.cancel(toCancelReason(reason))
}

/** The reason of a child run's cancel, from the reason of the signal that stops it. */
export function toCancelReason(reason: unknown): CancelReason {
  return reason instanceof Error ? { kind: 'parent', detail: reason.message } : { kind: 'parent' }
}
