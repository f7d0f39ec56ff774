import type { Store } from '@parley/core'
import { Problem } from '../problem/problem.ts'
import { findRun } from '../runs/find-run.ts'
import type { ServerContext } from '../state/server-context.ts'

/**
 * Removes the run of a response together with its child runs.
 * @throws Problem 404 if the run is unknown; 409 if the run has not ended or a later run continues it; 501 if the store cannot
 * remove runs.
 */
export async function removeRun(server: ServerContext, scope: string, id: string): Promise<void> {
  const { store, agentResponses, openAiResponses } = server
  const { record } = await findRun(server, scope, id)
  const { runId, status } = record
  if (status === 'running' || status === 'suspended')
    throw new Problem(409, 'CONFLICT', { message: 'The response has not ended. Cancel it first.' })
  if (store.prune === undefined)
    throw new Problem(501, 'NOT_IMPLEMENTED', { message: 'The store of this server cannot remove responses.' })
  const remove = (each: string): Promise<number> | undefined =>
    store.prune?.({ scope, runId: each, before: Number.MAX_SAFE_INTEGER })
  const children = await childrenOf(store, runId)
  if ((await remove(runId)) === 0)
    throw new Problem(409, 'CONFLICT', { message: 'A later response continues this one. Delete the later one first.' })
  for (const child of children) await remove(child)
  agentResponses.remove(scope, runId)
  openAiResponses.remove(scope, runId)
}

/** The child runs of a run, and their child runs. */
async function childrenOf(store: Store, runId: string): Promise<readonly string[]> {
  const entries = await store.read(runId)
  const children = entries.flatMap(entry => (entry.type === 'agent.started' ? [entry.childRunId] : []))
  const descendants = await Promise.all(children.map(child => childrenOf(store, child)))
  return [...children, ...descendants.flat()]
}
