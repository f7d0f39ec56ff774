import type { Store } from '@parley/core'

/**
 * The root run of an unfinished child run, which must be resumed instead of the child run. Every other run, also an ended or
 * unknown one, is its own root.
 */
export async function rootRun(store: Store | undefined, runId: string): Promise<string> {
  const record = await store?.run(runId)
  const unfinished = record?.status === 'running' || record?.status === 'suspended'
  if (store === undefined || record?.relation !== 'sub-agent' || !unfinished) return runId
  const [first] = await store.read(runId, { limit: 1 })
  const parent = first?.type === 'run.started' ? first.parent : undefined
  return parent === undefined ? runId : rootRun(store, parent.runId)
}
