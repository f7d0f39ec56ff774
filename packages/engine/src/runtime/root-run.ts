import type { Store } from '@parley/core'

/**
 * The run to go on with for the sake of the given one: a sub-agent's is gone on with by its caller, an ended or unknown
 * run is left to whoever asked.
 */
export async function rootRun(store: Store | undefined, runId: string): Promise<string> {
  const record = await store?.run(runId)
  const unfinished = record?.status === 'running' || record?.status === 'suspended'
  if (store === undefined || record?.relation !== 'sub-agent' || !unfinished) return runId
  const [first] = await store.read(runId)
  const parent = first?.type === 'run.started' ? first.parent : undefined
  return parent === undefined ? runId : rootRun(store, parent.runId)
}
