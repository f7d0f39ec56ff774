import { ParleyError, toErrorInfo, type Clock, type ErrorInfo, type RunRecord, type Store } from '@parley/core'
import type { Run } from '../run-context/run-result.ts'
import type { ActiveRuns } from './active-runs.ts'
import { repeat } from './repeat.ts'
import type { ScopeOptions } from './runtime-options.ts'

/** Which unfinished runs of a scope were resumed. */
export interface ResumedRuns {
  /** The runs that this process resumed. */
  readonly runs: readonly Run[]
  /** The runs that were not resumed, with the reason: for example, another worker drives the run, or its agent is unknown here. */
  readonly left: readonly { readonly runId: string; readonly error: ErrorInfo }[]
}

export interface ResumerParts {
  readonly store: Store | undefined
  readonly active: ActiveRuns
  readonly clock: Clock
  readonly resume: (runId: string, scope: string) => Promise<Run>
}

/** When to resume runs without a call. */
export interface ResumerSchedule {
  readonly scopes: readonly string[]
  readonly everyMs: number
}

/** Resumes runs that no live worker drives: on request, and for some scopes periodically. */
export interface Resumer {
  resumeAll(options?: ScopeOptions): Promise<ResumedRuns>
  /** Stops the periodic sweeps. */
  stop(): void
}

export function createResumer(parts: ResumerParts, { scopes, everyMs }: ResumerSchedule): Resumer {
  const resumeAll = ({ scope = 'default' }: ScopeOptions = {}): Promise<ResumedRuns> => resumeScope(parts, scope)
  if (scopes.length === 0) return { resumeAll, stop: () => {} }
  const stop = repeat(parts.clock, everyMs, async () => {
    for (const scope of scopes) await resumeAll({ scope })
  })
  return { resumeAll, stop }
}

async function resumeScope({ store, active, resume }: ResumerParts, scope: string): Promise<ResumedRuns> {
  const runs: Run[] = []
  const left: { runId: string; error: ErrorInfo }[] = []
  if (store === undefined) return { runs, left }
  for (const { runId, relation } of await unfinished(store, scope, active)) {
    // A child run is resumed with its root run.
    if (relation === 'sub-agent' || active.has(runId)) continue
    try {
      runs.push(await resume(runId, scope))
    } catch (error) {
      if (ParleyError.is(error, 'runtime-closed') || ParleyError.is(error, 'store-unavailable')) throw error
      left.push({ runId, error: toErrorInfo(error) })
    }
  }
  return { runs, left }
}

/** Runs to resume, oldest first. Starts the expiry timers of runs suspended for approval. */
async function unfinished(store: Store, scope: string, active: ActiveRuns): Promise<readonly RunRecord[]> {
  const list = (status: 'running' | 'suspended'): Promise<readonly RunRecord[]> =>
    store.runs({ scope, status, limit: Number.MAX_SAFE_INTEGER })
  const found = [...(await list('running'))]
  for (const record of await list('suspended')) {
    const last = (await store.read(record.runId, { afterSeq: record.seq - 1 })).at(-1)
    if (last?.type !== 'run.suspended') continue
    if (last.reason === 'shutdown') found.push(record)
    else if (record.relation !== 'sub-agent') active.watch(record.runId, last.approvals)
  }
  return found.sort((a, b) => a.startedAt - b.startedAt)
}
