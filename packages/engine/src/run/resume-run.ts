import { ParleyError, type RunFacts, type Store } from '@parley/core'
import { checkDecision } from '../approval/check-decision.ts'
import type { DecidedApproval } from '../approval/decided-approval.ts'
import { loadRun } from '../journal/load-run.ts'
import { openTools } from '../tools/open-tools.ts'
import { RunHandle } from './run-handle.ts'
import { RunScope } from './run-scope.ts'
import type { RuntimeContext } from '../runtime/runtime-context.ts'

export interface ResumeRequest {
  readonly runId: string
  /** Take it from a worker that seems alive. */
  readonly force: boolean
  /** What a person has decided about one of its calls. */
  readonly decided?: DecidedApproval | undefined
}

/**
 * An unfinished run, driven on from its last entry.
 * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `approval-…`, `store-…`.
 */
export async function resumeRun(context: RuntimeContext, { runId, force, decided }: ResumeRequest): Promise<RunHandle> {
  const { agents, clock, store, worker } = context
  if (store === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const record = await store.run(runId)
  if (record === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  if (record.status !== 'running' && record.status !== 'suspended') throw new ParleyError({ code: 'run-ended', runId })
  const prepared = agents.get(record.agent)
  if (decided !== undefined) checkDecision(await loadRun(store, runId), { runId, ...decided })
  // A suspended run is held by nobody, whoever suspended it.
  const fence = await claimRun(context, store, { runId, force: force || record.status === 'suspended' })
  const state = await loadRun(store, runId)
  // Somebody may have been faster between the look and the claim.
  if (decided !== undefined) checkDecision(state, { runId, ...decided })
  const { sessionId, scope, agent } = record
  const facts: RunFacts = { runId, sessionId, agent, scope, path: [], principal: state.principal }
  const run = new RunScope({ facts, prepared, clock, worker, state, target: { store, worker, fence } })
  return new RunHandle(run, () => {
    run.journal.record({ type: 'run.resumed', worker })
    if (decided !== undefined) {
      const { approvalId, decision, by } = decided
      run.journal.record({ type: 'approval.decided', approvalId, decision, ...(by === undefined ? {} : { by }) })
    }
    return openTools(run)
  })
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
