import { ParleyError, type CancelReason } from '@parley/core'
import type { RunContext } from './run-context.ts'

/** Records a cancel and stops the run, unless it is already stopped. */
export function recordCancel({ state, journal, stopper }: RunContext, reason: CancelReason): void {
  if (state.outcome !== undefined || state.cancel !== undefined || stopper.stopped) return
  journal.record({ type: 'cancel.requested', reason })
  stopper.stop(new ParleyError({ code: 'cancelled', ...reason }))
}
