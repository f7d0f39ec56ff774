import type { ErrorInfo, Store } from '@parley/core'
import { isProgress } from '../journal/is-progress.ts'
import type { Resumption, RunState } from '../journal/run-state.ts'

/**
 * How often one worker may resume a run without progress. The worker is alive, so the run itself or the store interrupted each
 * attempt. Each attempt may cost one model call whose usage is not recorded.
 */
export const MOST_RESUMES = 5

/**
 * How often all workers together may resume a run without progress. A worker that died tells less: the run may have killed it, or
 * a deployment or the operating system did. If one attempt in four is killed from outside, thirteen in a row are killed once in 67
 * million steps.
 */
export const MOST_ADOPTIONS = 12

/**
 * Returns the error of a run that must end because it was resumed too often without progress. `undefined` if the run,
 * or a child run that it waits for, has made progress.
 */
export async function stuckError(store: Store, { resumes, calls = [] }: RunState): Promise<ErrorInfo | undefined> {
  if (exceeded(resumes, 1) === undefined) return undefined
  const children = calls.flatMap(call => call.children ?? []).filter(({ result }) => result === undefined)
  const progressAt = await lastProgress(
    store,
    children.map(({ runId }) => runId),
  )
  // A child run that is stuck itself ends first, and its parent run continues with that result.
  return exceeded(
    resumes.filter(({ at }) => at > progressAt),
    children.length === 0 ? 1 : 2,
  )
}

/** Returns the error of the first limit that these resumptions exceed. */
function exceeded(resumes: readonly Resumption[], times: number): ErrorInfo | undefined {
  const byWorker = new Map<string, number>()
  for (const { worker } of resumes) byWorker.set(worker, (byWorker.get(worker) ?? 0) + 1)
  const limits = [
    { max: MOST_RESUMES * times, value: Math.max(0, ...byWorker.values()) },
    { max: MOST_ADOPTIONS * times, value: resumes.length },
  ]
  const hit = limits.find(({ max, value }) => value > max)
  return hit && { code: 'limit-reached', limit: 'resumes without progress', ...hit }
}

/** Returns the time at which one of the runs, or of the child runs that they wait for, last made progress. */
async function lastProgress(store: Store, runIds: readonly string[]): Promise<number> {
  const times = await Promise.all(
    runIds.map(async runId => {
      // A journal that cannot be read shows no progress.
      const entries = await store.read(runId).catch(() => [])
      const ended = new Set(entries.flatMap(entry => (entry.type === 'agent.ended' ? entry.childRunId : [])))
      const started = entries.flatMap(entry => (entry.type === 'agent.started' ? entry.childRunId : []))
      const open = started.filter(id => !ended.has(id))
      return Math.max(entries.findLast(isProgress)?.at ?? -Infinity, await lastProgress(store, open))
    }),
  )
  return Math.max(-Infinity, ...times)
}
