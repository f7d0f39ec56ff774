import type { ErrorInfo } from '@parley/core'
import type { ChildResult, ChildState } from '../../journal/run-state.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { failedChild, loadRunResult } from './child-result.ts'
import { cancelChild, childrenOf, recordEnded } from './end-children.ts'

/** A child run that could not start, or that stopped without an outcome. */
export interface BrokenChild {
  readonly runId: string
  readonly error: ErrorInfo
}

/** Records the results of a call's child runs that ended in other processes. */
export async function collectChildren(run: RunContext, callId: string, broken: readonly BrokenChild[]): Promise<void> {
  for (const child of childrenOf(run, callId)) {
    const { runId } = child
    const result = child.result === undefined ? await endOf(run, child, { callId, broken }) : undefined
    if (result !== undefined) recordEnded(run, { callId, runId, result })
  }
}

interface Collecting {
  readonly callId: string
  readonly broken: readonly BrokenChild[]
}

async function endOf(
  run: RunContext,
  { runId }: ChildState,
  { callId, broken }: Collecting,
): Promise<ChildResult | undefined> {
  const { store } = run.runtime
  const hasBegun = (await store?.run(runId)) !== undefined
  const ended = store === undefined || !hasBegun ? undefined : await loadRunResult(store, runId)
  const failure = broken.find(one => one.runId === runId)
  if (ended !== undefined || failure === undefined) return ended
  return hasBegun ? cancelChild(run, callId, runId) : failedChild(failure.error)
}
