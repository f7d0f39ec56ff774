import { ParleyError, type RunStatus } from '@parley/core'
import type { ServerContext } from '../state/server-context.ts'
import { findRun } from './find-run.ts'

/** How long to wait until the driver in another process has stopped a run. */
const WAIT_MS = 30_000

/**
 * Cancels a run, whichever process drives it, and returns its final status. A run that has ended stays as it is. `running`
 * means that its driver has received the command and has not stopped in time.
 * @throws Problem 404 if the run is unknown; ParleyError `store-…`, `config-invalid` if the store has no inbox to reach another
 * process.
 */
export async function cancelRun(server: ServerContext, scope: string, id: string): Promise<RunStatus | 'interrupted'> {
  const { record } = await findRun(server, scope, id)
  const { runId, status, seq } = record
  const live = server.live.find(scope, runId)
  if (live === undefined && status !== 'running' && status !== 'suspended') return status
  try {
    // A run that is suspended at this moment is ended as well.
    const run = await server.runtime.cancel(runId, { scope })
    if (live !== undefined) return (await run.result).status
  } catch (error) {
    // The run may end between the two reads.
    if (!ParleyError.is(error, 'run-ended')) throw error
  }
  await waitForEnd(server, { runId, scope, seq })
  return (await server.store.run(runId))?.status ?? status
}

async function waitForEnd(
  { runtime, clock }: ServerContext,
  { runId, scope, seq }: { readonly runId: string; readonly scope: string; readonly seq: number },
): Promise<void> {
  const leave = new AbortController()
  const stopTimer = clock.after(WAIT_MS, () => leave.abort())
  try {
    const entries = runtime.replay(runId, { scope, afterSeq: seq, follow: true, signal: leave.signal })
    for await (const entry of entries) if (entry.type === 'run.ended') return
  } finally {
    stopTimer()
  }
}
