import {
  ParleyError,
  toErrorInfo,
  type CancelReason,
  type Claim,
  type RunWith,
  type RunRecord,
  type Store,
} from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import { answeringAgent } from '../agent/handoff-target.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import { readLimits } from '../agent/kept-limits.ts'
import { withLimits } from '../agent/run-limits.ts'
import { retiredAgent } from '../agent/retired-agent.ts'
import type { DecidedRequest } from '../journal/decided-request.ts'
import type { RunState } from '../journal/run-state.ts'
import { checkDecision, findRequest, recordDecision } from '../run-context/requests/check-decision.ts'
import { pathBelow, withinParent, type ParentCall } from '../run-context/children/parent-call.ts'
import type { ParentRef } from '../run-context/children/parent-ref.ts'
import { DrivenRun } from '../run-context/driven-run.ts'
import { keepContext } from './keep-context.ts'
import { loadRun } from '../run-context/stored/load-run.ts'
import { openAgent } from '../run-context/open-agent.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'
import { keepDeadLetter } from '../run-context/keep-dead-letter.ts'
import type { Admission } from './admission.ts'
import type { DurableHost } from './durable-host.ts'
import { RunHandle } from './run-handle.ts'
import { RUN_PORTS } from './run-ports.ts'
import { stuckError } from './stuck-run.ts'

export interface ResumeRequest {
  readonly runId: string
  /** Whether to claim the run even if a live worker holds it. */
  readonly force: boolean
  /** The decision about one of its calls. */
  readonly decided?: DecidedRequest | undefined
  /** The scope that the run must belong to. @default any */
  readonly scope?: string | undefined
  /** Decides which places the run needs under quotas. @default none */
  readonly admit?: ((agent: PreparedAgent) => Admission | undefined) | undefined
  /** Takes the run's steps. @default this process */
  readonly host?: DurableHost | undefined
  /** Ends the run as cancelled instead of continuing its work. */
  readonly cancel?: CancelReason | undefined
  /** Set for a child run whose parent run another process drives. */
  readonly parent?: ParentRef | undefined
  /** Set for a child run whose parent run this process drives. */
  readonly child?: ResumedChild | undefined
}

export interface ResumedChild {
  readonly parent: ParentCall
  /** The agent as the handler gave it: the runtime may not know it by name. Not needed to cancel. */
  readonly agent?: Agent | undefined
  /** Decisions that the parent run knows of; the child run may have received some before. */
  readonly decisions?: readonly DecidedRequest[] | undefined
}

export interface ResumedRun {
  readonly run: RunHandle
  readonly admission: Admission | undefined
}

/**
 * Claims an unfinished run and drives it from its last entry. Resolves when the journal has the resumption and what was
 * decided. If processes claim a suspended run at the same time, the last claim wins: the store refuses the first append of the others.
 * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `approval-…`, `store-…`.
 */
export async function resumeRun(runtime: RuntimePorts, request: ResumeRequest): Promise<ResumedRun> {
  const { runId, force, decided, child } = request
  const { agents, store } = runtime
  if (store === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const record = await findUnfinished(store, request)
  const agent = await agentFor(runtime, request, record)
  const admission = request.admit?.(agent)
  if (decided !== undefined) {
    const before = await loadRun(store, runId)
    const answering = answeringAgent(agents, agent, before.handoffs).definition
    checkDecision(before, { runId, ...decided }, { agents: agents.directory, answering })
  }
  const fence = await claimRun(runtime, store, { runId, force })
  const state = await loadRun(store, runId)
  // Another process may have ended the run, or decided, between the first look and the claim.
  if (state.outcome !== undefined) throw new ParleyError({ code: 'run-ended', runId })
  if (decided !== undefined) checkDecision(state, { runId, ...decided })
  const run = reopenRun({ runtime, agent, record, state, fence }, request)
  await confirmClaim(run, request)
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

/**
 * Returns the agent that the run began with. A run that is resumed only to end it gets an agent without a model and
 * tools.
 */
async function agentFor(
  { agents, store }: RuntimePorts,
  { cancel, child, parent }: ResumeRequest,
  { runId, agent, model }: RunRecord,
): Promise<PreparedAgent> {
  if (cancel !== undefined) return withinParent(parent, retiredAgent(agent))
  const own = agents.get(child?.agent ?? agent)
  if (own.modelName === model) return withinParent(parent, own)
  // The agent has another model now, or the run asked for another one.
  const [first] = (await store?.read(runId, { limit: 1 })) ?? []
  const chosen = first?.type === 'run.started' ? first.chosenModel : undefined
  return withinParent(parent, agents.get(child?.agent ?? agent, chosen))
}

interface Claimed {
  readonly runtime: RuntimePorts
  readonly agent: PreparedAgent
  readonly record: RunRecord
  readonly state: RunState
  readonly fence: number
}

function reopenRun({ runtime, agent: known, record, state, fence }: Claimed, request: ResumeRequest): DrivenRun {
  const { agents, store, worker } = runtime
  const { runId, sessionId, scope } = record
  const { principal, workspace, settings, clientTools, given } = state
  const parent = request.child?.parent
  const agent = withinParent(request.parent, withLimits(known, state.limits && readLimits(state.limits)))
  const path = pathBelow(parent, request.parent)
  const context = keepContext(given)
  const facts: RunWith<unknown> = { runId, sessionId, agent: record.agent, scope, path, principal, workspace, context }
  const target = store === undefined ? undefined : { store, worker, fence }
  const run = new DrivenRun({ facts, agent, runtime, ports: RUN_PORTS, state, target, settings, clientTools, parent })
  if (request.cancel === undefined && state.handoffs.length > 0) {
    run.switchAgent(answeringAgent(agents, agent, state.handoffs))
  }
  return run
}

/** Makes the resumption durable, before the caller knows that it succeeded. */
async function confirmClaim(run: DrivenRun, { runId, decided, child, cancel }: ResumeRequest): Promise<void> {
  run.journal.record({ type: 'run.resumed', worker: run.runtime.worker })
  for (const each of decided === undefined ? (child?.decisions ?? []) : [decided]) {
    if (findRequest(run.state, each.approvalId) !== undefined) recordDecision(run, each)
  }
  if (cancel !== undefined) run.journal.record({ type: 'cancel.requested', reason: cancel })
  try {
    await run.journal.commit()
  } catch (cause) {
    // The middleware has begun.
    run.emit({ type: 'run.interrupted', error: toErrorInfo(cause) })
    run.feed.end()
    if (child !== undefined || !ParleyError.is(cause, 'store-fenced')) throw cause
    throw new ParleyError({ code: 'run-busy', runId, worker: await newestWorker(run) })
  }
}

/** The worker that resumed the run last, as far as its journal tells. */
async function newestWorker({ facts, runtime }: DrivenRun): Promise<string> {
  const entries = (await runtime.store?.read(facts.runId)) ?? []
  return entries.findLast(entry => entry.type === 'run.resumed')?.worker ?? 'unknown'
}

async function continueRun(run: DrivenRun, request: ResumeRequest, admission: Admission | undefined): Promise<void> {
  if (request.cancel !== undefined || (await failStuck(run))) return undefined
  await run.inbox?.take()
  if (admission?.waiting === undefined) return openAgent(run)
  return admission.open(run, () => openAgent(run))
}

/** Ends a run that was resumed too often without progress: its open calls end as cancelled, then it fails. */
async function failStuck(run: DrivenRun): Promise<boolean> {
  const { facts, journal, runtime, state } = run
  const error = runtime.store === undefined ? undefined : await stuckError(runtime.store, state)
  if (error === undefined) return false
  const event = journal.record({ type: 'run.failed', error })
  await journal.commit()
  await keepDeadLetter(runtime.store, { facts, event, error, attempts: state.resumes.length })
  return true
}

async function claimRun(
  { clock, worker, isWorkerGone }: RuntimePorts,
  store: Store,
  { runId, force }: { readonly runId: string; readonly force: boolean },
): Promise<number> {
  const first = await store.claim({ runId, worker, at: clock.now(), force })
  if (first.granted) return first.fence
  if (!isWorkerGone(first.worker)) throw busy(runId, first)
  // A claim with force would also take the run from a worker that has claimed it since.
  await store.heartbeat({ worker: first.worker, at: clock.now(), ttlMs: 0 })
  const second = await store.claim({ runId, worker, at: clock.now() })
  if (second.granted) return second.fence
  throw busy(runId, second)
}

function busy(runId: string, { worker, aliveUntil }: Extract<Claim, { readonly granted: false }>): ParleyError {
  return new ParleyError({ code: 'run-busy', runId, worker, aliveUntil })
}
