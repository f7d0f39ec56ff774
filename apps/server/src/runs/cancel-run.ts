import type { RunStatus } from '@parley/core'
import { findRun } from './find-run.ts'
import type { ServerContext } from '../server-context.ts'

/**
 * Stops a run and answers how it ended; a run that has ended stays as it is.
 * @throws Problem 404, ParleyError `run-busy` for a run of another process.
 */
export async function cancelRun(server: ServerContext, scope: string, id: string): Promise<RunStatus | 'interrupted'> {
  const { record } = await findRun(server, scope, id)
  const { runId, status } = record
  const isOver = status !== 'running' && status !== 'suspended'
  const live = server.live.find(scope, runId)
  if (live === undefined && isOver) return status
  const run = live ?? server.live.adopt(scope, await server.runtime.resume(runId, { scope }))
  await run.cancel({ kind: 'user' })
  return (await run.result).status
}
