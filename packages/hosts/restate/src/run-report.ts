import { ParleyError, type Store } from '@parley/core'
import { loadRunResult, toDelegateResult, type Ending } from '@parley/engine/host'
import type { RunOrder, RunReport, StepReport } from './run-order.ts'
import type { Worker } from './worker.ts'

/** Reports the ending that a step returned. */
export async function endingReport(worker: Worker, order: RunOrder, ending: Ending): Promise<StepReport> {
  if (ending.status !== 'suspended') return endedReport(worker.store, order)
  // The runtime closes and has released the run: another worker makes the next attempt.
  if (ending.reason === 'shutdown') throw new ParleyError({ code: 'runtime-closed' })
  const { approvals, clientCalls } = ending
  const due = Math.min(...[...approvals, ...clientCalls].map(({ expiresAt = Infinity }) => expiresAt))
  const approvalIds = [
    ...approvals.map(({ approvalId }) => approvalId),
    ...clientCalls.map(({ requestId }) => requestId),
  ]
  if (due === Infinity) return { type: 'suspended', approvalIds }
  return { type: 'suspended', approvalIds, waitMs: Math.max(0, due - worker.clock.now()) }
}

/** Reports how a run ended. Reads it from the journal. */
export async function endedReport(
  store: Store,
  { runId, sessionId }: Pick<RunOrder, 'runId' | 'sessionId'>,
): Promise<RunReport> {
  const result = await loadRunResult(store, runId)
  if (result === undefined) throw new ParleyError({ code: 'internal', detail: `run '${runId}' has no ending` })
  return { type: 'ended', result: { ...toDelegateResult(runId, result), sessionId } }
}
