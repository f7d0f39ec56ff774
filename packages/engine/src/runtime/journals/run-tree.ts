import { ParleyError, type Cost, type RunRecord, type Store, type Usage } from '@parley/core'
import { loadRun } from '../../run-context/stored/load-run.ts'
import { readPages } from '../../run-context/stored/read-journal.ts'

/** A run with the child runs that its tool calls started. */
export interface RunTree {
  readonly run: RunRecord
  /** The tool call of the parent run. Absent for the run at the top. */
  readonly callId?: string | undefined
  /** What the run and its child runs have used so far. */
  readonly usage: Usage
  readonly cost?: Cost | undefined
  readonly children: readonly RunTree[]
}

/**
 * Returns a run and all runs below it, children in the order in which they started.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadRunTree(store: Store, runId: string): Promise<RunTree> {
  const tree = await treeOf(store, runId, undefined)
  if (tree === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  return tree
}

async function treeOf(store: Store, runId: string, callId: string | undefined): Promise<RunTree | undefined> {
  const run = await store.run(runId)
  // The journal of the parent run names a child run before it exists.
  if (run === undefined) return undefined
  const { usage, cost } = run.usage === undefined ? await loadRun(store, runId) : { usage: run.usage, cost: run.cost }
  const children: RunTree[] = []
  for await (const entries of readPages(store, runId)) {
    for (const entry of entries) {
      if (entry.type !== 'agent.started') continue
      const child = await treeOf(store, entry.childRunId, entry.callId)
      if (child !== undefined) children.push(child)
    }
  }
  return {
    run,
    ...(callId === undefined ? {} : { callId }),
    usage,
    ...(cost === undefined ? {} : { cost }),
    children,
  }
}
