import type { Store } from '@parley/core'
import { findRun } from '../runs/find-run.ts'
import { Problem } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'

/**
 * Removes the run behind a response, and the runs of the agents that worked for it.
 * @throws Problem 404; 409 for a run that is not over or that another goes on from; 501 where the store keeps everything.
 */
export async function removeRun(server: ServerContext, scope: string, id: string): Promise<void> {
  const { store, shelf, openAiShelf } = server
  const { record } = await findRun(server, scope, id)
  const { runId, status } = record
  if (status === 'running' || status === 'suspended')
    throw new Problem(409, 'CONFLICT', { message: 'The response is not over; cancel it first.' })
  if (store.prune === undefined)
    throw new Problem(501, 'NOT_IMPLEMENTED', { message: 'The store of this server keeps everything.' })
  const remove = (each: string): Promise<number> | undefined =>
    store.prune?.({ scope, runId: each, before: Number.MAX_SAFE_INTEGER })
  const children = await childrenOf(store, runId)
  if ((await remove(runId)) === 0)
    throw new Problem(409, 'CONFLICT', { message: 'A later response goes on from this one; delete that first.' })
  for (const child of children) await remove(child)
  shelf.forget(scope, runId)
  openAiShelf.forget(scope, runId)
}

/** The runs of a run's sub-agents, and of theirs. */
async function childrenOf(store: Store, runId: string): Promise<readonly string[]> {
  const entries = await store.read(runId)
  const own = entries.flatMap(entry => (entry.type === 'agent.started' ? [entry.childRunId] : []))
  const theirs = await Promise.all(own.map(child => childrenOf(store, child)))
  return [...own, ...theirs.flat()]
}
