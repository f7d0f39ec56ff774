import type { ErrorInfo, Store } from '@parley/core'
import { isProgress } from '../journal/is-progress.ts'
import type { RunState } from '../journal/run-state.ts'

/** How often a run may be resumed without progress. Each time may cost one model call whose usage is not recorded. */
export const MOST_RESUMES = 5

/**
 * Returns the error of a run that must end because it was resumed too often without progress. `undefined` if the run,
 * or a child run that it waits for, has made progress.
 */
export async function stuckError(store: Store, { resumes, calls = [] }: RunState): Promise<ErrorInfo | undefined> {
  if (resumes.length <= MOST_RESUMES) return undefined
  const children = calls.flatMap(call => call.children ?? []).filter(({ result }) => result === undefined)
  // A child run that is stuck itself ends first, and its parent run continues with that result.
  const max = children.length === 0 ? MOST_RESUMES : MOST_RESUMES * 2
  const progressAt = await lastProgress(
    store,
    children.map(({ runId }) => runId),
  )
  const value = resumes.filter(at => at > progressAt).length
  return value <= max ? undefined : { code: 'limit-reached', limit: 'resumes without progress', max, value }
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
