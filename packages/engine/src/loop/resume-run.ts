import { ParleyError, type CancelReason, type RunFacts, type RunRecord, type Store } from '@parley/core'
import { answeringAgent } from '../agent/answering-agent.ts'
import { retiredAgent } from '../agent/retired-agent.ts'
import type { Caller } from '../run-context/caller.ts'
import { pathBelow, prepareFor, type ParentCall } from '../run-context/parent-call.ts'
import { checkDecision, findRequest } from '../run-context/approval/check-decision.ts'
import type { DecidedApproval } from '../journal/decided-approval.ts'
import { loadRun } from '../run-context/load-run.ts'
import { openTools } from '../run-context/open-tools.ts'
import type { DurableHost } from './durable-host.ts'
import { RunHandle } from './run-handle.ts'
import { RunScope } from '../run-context/run-scope.ts'
import type { Admission } from './admission.ts'
import type { Agent } from '../agent/agent.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import type { RuntimeContext } from '../run-context/runtime-context.ts'

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
  /** Takes its steps. @default this process */
  readonly host?: DurableHost | undefined
  /** Brings it to its end instead of going on with its work. */
  readonly cancel?: CancelReason | undefined
  /** For a sub-agent whose caller is driven elsewhere. */
  readonly caller?: Caller | undefined
  /** For a sub-agent. */
  readonly child?: ResumedChild | undefined
}

export interface ResumedRun {
  readonly run: RunHandle
  readonly admission: Admission | undefined
}

export interface ResumedChild {
  readonly parent: ParentCall
  /** As its caller gives it: it may be one the runtime does not know by name. Not needed to cancel. */
  readonly agent?: Agent | undefined
  /** What its caller knows to be decided; some of it may have reached it before. */
  readonly decisions?: readonly DecidedApproval[] | undefined
}

/**
 * An unfinished run, driven on from its last entry.
 * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `approval-…`, `store-…`.
 */
export async function resumeRun(context: RuntimeContext, request: ResumeRequest): Promise<ResumedRun> {
  const { runId, force, decided, cancel, child, admit } = request
  const { agents, store, worker } = context
  if (store === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const record = await findUnfinished(store, request)
  const found = cancel === undefined ? agents.get(child?.agent ?? record.agent) : retiredAgent(record.agent)
  const prepared = prepareFor(request.caller, found)
  const admission = admit?.(prepared)
  if (decided !== undefined) {
    const before = await loadRun(store, runId)
    const answering = answeringAgent(agents, prepared, before.handoffs).agent
    checkDecision(before, { runId, ...decided }, { agents: agents.directory, answering })
  }
  // A suspended run is held by nobody, whoever suspended it.
  const fence = await claimRun(context, store, { runId, force: force || record.status === 'suspended' })
  const state = await loadRun(store, runId)
  // Somebody may have been faster between the look and the claim.
  if (decided !== undefined) checkDecision(state, { runId, ...decided })
  const { sessionId, scope, agent } = record
  const parent = child?.parent
  const path = pathBelow(parent, request.caller)
  const facts: RunFacts = {
    runId,
    sessionId,
    agent,
    scope,
    path,
    principal: state.principal,
    workspace: state.workspace,
  }
  const { settings } = state
  const run = new RunScope({ facts, prepared, context, state, target: { store, worker, fence }, settings, parent })
  if (cancel === undefined && state.handoffs.length > 0) {
    run.activate(answeringAgent(agents, prepared, state.handoffs))
  }
  parent?.run.children?.set(runId, run)
  admission?.join(run)
  const decisions = decided === undefined ? (child?.decisions ?? []) : [decided]
  const open = async (): Promise<void> => {
    noteResumed(run, decisions)
    if (cancel !== undefined) {
      run.journal.record({ type: 'cancel.requested', reason: cancel })
      return
    }
    await run.inbox?.take()
    if (admission?.waiting !== undefined) {
      // What was decided is on disk while the run waits for its place.
      await run.journal.commit()
      await admission.open(run, () => openTools(run))
    } else await openTools(run)
  }
  return { run: new RunHandle(run, open, request.host), admission }
}

async function findUnfinished(store: Store, { runId, scope }: ResumeRequest): Promise<RunRecord> {
  const record = await store.run(runId)
  if (record === undefined || (scope ?? record.scope) !== record.scope)
    throw new ParleyError({ code: 'run-unknown', runId })
  if (record.status !== 'running' && record.status !== 'suspended') throw new ParleyError({ code: 'run-ended', runId })
  return record
}

function noteResumed(run: RunScope, decisions: readonly DecidedApproval[]): void {
  run.journal.record({ type: 'run.resumed', worker: run.context.worker })
  for (const { approvalId, decision, by } of decisions) {
    if (findRequest(run.state, approvalId) === undefined) continue
    run.journal.record({ type: 'approval.decided', approvalId, decision, ...(by === undefined ? {} : { by }) })
  }
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
