import { ParleyError, type RunStatus } from '@parley/core'
import { findRun } from './find-run.ts'
import type { ServerContext } from '../state/server-context.ts'

/** How long the process that drives a run is waited for. */
const WAIT_MS = 30_000

/**
 * Stops a run, whichever process drives it, and answers how it ended; a run that has ended stays as it is. `running` means that
 * its driver was told and has not stopped in time.
 * @throws Problem 404, ParleyError `store-…`, `config-invalid` for a run of another process where the store reaches nobody.
 */
export async function cancelRun(server: ServerContext, scope: string, id: string): Promise<RunStatus | 'interrupted'> {
  const { record } = await findRun(server, scope, id)
  const { runId, status, seq } = record
  const live = server.live.find(scope, runId)
  if (live !== undefined) {
    await live.cancel({ kind: 'user' })
    return (await live.result).status
  }
  if (status !== 'running' && status !== 'suspended') return status
  try {
    await server.runtime.cancel(runId, { scope })
  } catch (error) {
    // It ended by itself meanwhile.
    if (!ParleyError.is(error, 'run-ended')) throw error
  }
  await untilOver(server, { runId, scope, seq })
  return (await server.store.run(runId))?.status ?? status
}

async function untilOver(
  { runtime, clock }: ServerContext,
  { runId, scope, seq }: { readonly runId: string; readonly scope: string; readonly seq: number },
): Promise<void> {
  const leave = new AbortController()
  const callOff = clock.after(WAIT_MS, () => leave.abort())
  try {
    const entries = runtime.replay(runId, { scope, afterSeq: seq, follow: true, signal: leave.signal })
    for await (const entry of entries) if (entry.type === 'run.ended') return
  } finally {
    callOff()
  }
}
