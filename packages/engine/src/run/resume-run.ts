import { ParleyError, type RunFacts, type Store } from '@parley/core'
import { checkDecision } from '../approval/check-decision.ts'
import type { DecidedApproval } from '../approval/decided-approval.ts'
import { loadRun } from '../journal/load-run.ts'
import { openTools } from '../tools/open-tools.ts'
import { RunHandle } from './run-handle.ts'
import { RunScope } from './run-scope.ts'
import type { Admission } from '../quota/admission.ts'
import type { PreparedAgent } from '../runtime/prepare-agent.ts'
import type { RuntimeContext } from '../runtime/runtime-context.ts'

export interface ResumeRequest {
  readonly runId: string
  /** Take it from a worker that seems alive. */
  readonly force: boolean
  /** What a person has decided about one of its calls. */
  readonly decided?: DecidedApproval | undefined
  /** The scope it must be of. @default any */
  readonly scope?: string | undefined
  /** Says which places it needs under quotas. @default none */
  readonly admit?: ((agent: PreparedAgent) => Admission | undefined) | undefined
}

export interface ResumedRun {
  readonly run: RunHandle
  readonly admission: Admission | undefined
}

/**
 * An unfinished run, driven on from its last entry.
 * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `approval-…`, `store-…`.
 */
export async function resumeRun(context: RuntimeContext, request: ResumeRequest): Promise<ResumedRun> {
  const { runId, force, decided, scope: wanted, admit } = request
  const { agents, clock, store, worker, sinkFor } = context
  if (store === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const record = await store.run(runId)
  if (record === undefined || (wanted ?? record.scope) !== record.scope)
    throw new ParleyError({ code: 'run-unknown', runId })
  if (record.status !== 'running' && record.status !== 'suspended') throw new ParleyError({ code: 'run-ended', runId })
  const prepared = agents.get(record.agent)
  const admission = admit?.(prepared)
  if (decided !== undefined) checkDecision(await loadRun(store, runId), { runId, ...decided })
  // A suspended run is held by nobody, whoever suspended it.
  const fence = await claimRun(context, store, { runId, force: force || record.status === 'suspended' })
  const state = await loadRun(store, runId)
  // Somebody may have been faster between the look and the claim.
  if (decided !== undefined) checkDecision(state, { runId, ...decided })
  const { sessionId, scope, agent } = record
  const facts: RunFacts = { runId, sessionId, agent, scope, path: [], principal: state.principal }
  const run = new RunScope({ facts, prepared, clock, state, target: { store, worker, fence }, sink: sinkFor(facts) })
  admission?.join(run)
  function note(): void {
    run.journal.record({ type: 'run.resumed', worker })
    if (decided === undefined) return
    const { approvalId, decision, by } = decided
    run.journal.record({ type: 'approval.decided', approvalId, decision, ...(by === undefined ? {} : { by }) })
  }
  const handle = new RunHandle(run, () => {
    note()
    if (admission?.waiting === undefined) return openTools(run)
    // What was decided is on disk while the run waits for its place.
    const noted = run.journal.commit() ?? Promise.resolve()
    return noted.then(() => admission.open(run, () => openTools(run)))
  })
  return { run: handle, admission }
}

async function claimRun(
  { clock, worker, isWorkerGone }: RuntimeContext,
  store: Store,
  { runId, force }: { readonly runId: string; readonly force: boolean },
): Promise<number> {
  const first = await store.claim({ runId, worker, at: clock.now(), force })
  if (first.granted) return first.fence
  if (!isWorkerGone(first.worker)) throw new ParleyError({ code: 'run-busy', runId, worker: first.worker })
  const second = await store.claim({ runId, worker, at: clock.now(), force: true })
  if (second.granted) return second.fence
  throw new ParleyError({ code: 'run-busy', runId, worker: second.worker })
}
