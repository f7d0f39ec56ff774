import { ParleyError, type CancelReason } from '@parley/core'
import type { RunContext } from './run-context.ts'

/**
 * Records a cancel and stops the run, unless it is already stopped. A run that is being released stays unfinished, so its
 * cancel is recorded for the process that resumes it.
 */
export function recordCancel({ state, journal, stopper, due }: RunContext, reason: CancelReason): void {
  if (state.outcome !== undefined || state.cancel !== undefined || (stopper.stopped && !due.released)) return
  journal.record({ type: 'cancel.requested', reason })
  stopper.stop(new ParleyError({ code: 'cancelled', ...reason }))
}
