import { ParleyError, type CancelReason } from '@parley/core'
import { endUnreadable } from '../../run-context/end-unreadable.ts'
import type { ChildResult, ChildState } from '../../journal/run-state.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { failedChild, loadRunResult, neverRan, settledResult } from './child-result.ts'

const REASON: CancelReason = { kind: 'parent', detail: 'its call has ended' }

export function childrenOf(run: RunContext, callId: string): readonly ChildState[] {
  return run.state.calls?.find(({ call }) => call.callId === callId)?.children ?? []
}

/** Cancels the child runs of a call that are not kept, so that no child run outlives its call. */
export async function endChildren(
  run: RunContext,
  callId: string,
  isKept: (child: ChildState) => boolean,
): Promise<void> {
  for (const child of childrenOf(run, callId)) {
    if (child.result !== undefined || isKept(child)) continue
    const { runId } = child
    recordEnded(run, { callId, runId, result: await cancelChild(run, callId, runId) })
  }
}

/** Ends an orphaned child run. */
export async function cancelChild(run: RunContext, callId: string, runId: string): Promise<ChildResult> {
  const { store, children } = run.runtime
  if (store === undefined || (await store.run(runId)) === undefined) return neverRan(REASON)
  try {
    const ended = await loadRunResult(store, runId)
    if (ended !== undefined) return ended
  } catch (error) {
    if (!ParleyError.is(error, 'store-corrupt')) throw error
    await endUnreadable({ ...run.runtime, store, runId, error: error.info, attempts: 1 })
    return failedChild(error.info)
  }
  const handle = await children.resume({ parent: { run, callId }, runId, cancel: REASON })
  const result = settledResult(await handle.result, handle)
  if ('outcome' in result) return result
  throw new ParleyError({ code: 'internal', detail: `run '${runId}' is suspended, although it was cancelled` })
}

interface EndedChild {
  readonly callId: string
  readonly runId: string
  readonly result: ChildResult
}

export function recordEnded(run: RunContext, { callId, runId, result }: EndedChild): ChildResult {
  const { outcome, text, output, usage, cost, turns } = result
  const given = { ...(output === undefined ? {} : { output }), ...(cost === undefined ? {} : { cost }) }
  run.journal.record({ type: 'agent.ended', callId, childRunId: runId, outcome, text, usage, ...given, turns })
  return result
}
