import { ParleyError, type Store } from '@parley/core'
import { loadRunResult } from '@parley/engine'
import type { RunOrder, RunReport } from './run-order.ts'

/** How a run has ended, from its journal. */
export async function endedReport(
  store: Store,
  { runId, sessionId }: Pick<RunOrder, 'runId' | 'sessionId'>,
): Promise<RunReport> {
  const result = await loadRunResult(store, runId)
  if (result === undefined) throw new ParleyError({ code: 'internal', detail: `run '${runId}' has no ending` })
  return { type: 'ended', result: { runId, sessionId, ...result } }
}
