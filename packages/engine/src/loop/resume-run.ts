import { ParleyError, type CancelReason, type RunFacts, type RunRecord, type Store } from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import { answeringAgent } from '../agent/handoff-target.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import { retiredAgent } from '../agent/retired-agent.ts'
import type { DecidedApproval } from '../journal/decided-approval.ts'
import type { RunState } from '../journal/run-state.ts'
import { checkDecision, findRequest } from '../run-context/check-decision.ts'
import { pathBelow, withinParent, type ParentCall } from '../run-context/children/parent-call.ts'
import type { ParentRef } from '../run-context/children/parent-ref.ts'
import { DrivenRun } from '../run-context/driven-run.ts'
import { loadRun } from '../run-context/load-run.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'
import type { Admission } from './admission.ts'
import type { DurableHost } from './durable-host.ts'
import { RunHandle } from './run-handle.ts'
import { RUN_PORTS } from './run-ports.ts'

export interface ResumeRequest {
  readonly runId: string
  /** Claim the run even if a live worker holds it. */
  readonly force: boolean
  /** The decision about one of its calls. */
  readonly decided?: DecidedApproval | undefined
  /** The scope that the run must belong to. @default any */
  readonly scope?: string | undefined
  /** Decides which places the run needs under quotas. @default none */
  readonly admit?: ((agent: PreparedAgent) => Admission | undefined) | undefined
  /** Takes the run's steps. @default this process */
  readonly host?: DurableHost | undefined
  /** Ends the run as cancelled instead of continuing its work. */
  readonly cancel?: CancelReason | undefined
  /** For a child run whose parent run another process drives. */
  readonly parent?: ParentRef | undefined
  /** For a child run whose parent run this process drives. */
  readonly child?: ResumedChild | undefined
}

export interface ResumedChild {
  readonly parent: ParentCall
  /** The agent as the handler gave it: the runtime may not know it by name. Not needed to cancel. */
  readonly agent?: Agent | undefined
  /** Decisions that the parent run knows of; the child run may have received some before. */
  readonly decisions?: readonly DecidedApproval[] | undefined
}

export interface ResumedRun {
  readonly run: RunHandle
  readonly admission: Admission | undefined
}

/**
 * Claims an unfinished run and drives it from its last entry.
 * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `approval-…`, `store-…`.
 */
export async function resumeRun(runtime: RuntimePorts, request: ResumeRequest): Promise<ResumedRun> {
  const { runId, force, decided, child } = request
  const { agents, store } = runtime
  if (store === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const record = await findUnfinished(store, request)
  const agent = agentFor(runtime, request, record)
  const admission = request.admit?.(agent)
  if (decided !== undefined) {
    const before = await loadRun(store, runId)
    const answering = answeringAgent(agents, agent, before.handoffs).definition
    checkDecision(before, { runId, ...decided }, { agents: agents.directory, answering })
  }
  // No worker drives a suspended run, so its claim does not count.
  const fence = await claimRun(runtime, store, { runId, force: force || record.status === 'suspended' })
  const state = await loadRun(store, runId)
  // Another process may have decided between the first look and the claim.
  if (decided !== undefined) checkDecision(state, { runId, ...decided })
  const run = reopenRun({ runtime, agent, record, state, fence }, request)
  child?.parent.run.delegations.add(runId, run)
  admission?.join(run)
  return { run: new RunHandle(run, () => continueRun(run, request, admission), request.host), admission }
}

async function findUnfinished(store: Store, { runId, scope }: ResumeRequest): Promise<RunRecord> {
  const record = await store.run(runId)
  if (record === undefined || (scope ?? record.scope) !== record.scope)
    throw new ParleyError({ code: 'run-unknown', runId })
  if (record.status !== 'running' && record.status !== 'suspended') throw new ParleyError({ code: 'run-ended', runId })
  return record
}

/** The agent that the run began with. A run that is only ended needs no model and no tools. */
function agentFor(
  { agents }: RuntimePorts,
  { cancel, child, parent }: ResumeRequest,
  { agent }: RunRecord,
): PreparedAgent {
  return withinParent(parent, cancel === undefined ? agents.get(child?.agent ?? agent) : retiredAgent(agent))
}

interface Claimed {
  readonly runtime: RuntimePorts
  readonly agent: PreparedAgent
  readonly record: RunRecord
  readonly state: RunState
  readonly fence: number
}

function reopenRun({ runtime, agent, record, state, fence }: Claimed, request: ResumeRequest): DrivenRun {
  const { agents, store, worker } = runtime
  const { runId, sessionId, scope } = record
  const { principal, workspace, settings } = state
  const parent = request.child?.parent
  const path = pathBelow(parent, request.parent)
  const facts: RunFacts = { runId, sessionId, agent: record.agent, scope, path, principal, workspace }
  const target = store === undefined ? undefined : { store, worker, fence }
  const run = new DrivenRun({ facts, agent, runtime, ports: RUN_PORTS, state, target, settings, parent })
  if (request.cancel === undefined && state.handoffs.length > 0) {
    run.switchAgent(answeringAgent(agents, agent, state.handoffs))
  }
  return run
}

async function continueRun(run: DrivenRun, request: ResumeRequest, admission: Admission | undefined): Promise<void> {
  const { decided, child, cancel } = request
  recordResumed(run, decided === undefined ? (child?.decisions ?? []) : [decided])
  if (cancel !== undefined) {
    run.journal.record({ type: 'cancel.requested', reason: cancel })
    return
  }
  await run.inbox?.take()
  if (admission?.waiting === undefined) return run.tools.open()
  // The decision is durable while the run waits for its place.
  await run.journal.commit()
  return admission.open(run, () => run.tools.open())
}

function recordResumed(run: DrivenRun, decisions: readonly DecidedApproval[]): void {
  run.journal.record({ type: 'run.resumed', worker: run.runtime.worker })
  for (const { approvalId, decision, by } of decisions) {
    if (findRequest(run.state, approvalId) === undefined) continue
    run.journal.record({ type: 'approval.decided', approvalId, decision, ...(by === undefined ? {} : { by }) })
  }
}

async function claimRun(
  { clock, worker, isWorkerGone }: RuntimePorts,
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
