import {
  createId,
  ParleyError,
  toolAsk,
  toolHandoff,
  type ErrorInfo,
  type ToolAnswer,
  type ToolCall,
  type ToolOutcome,
} from '@parley/core'
import { acceptHandoff } from './accept-handoff.ts'
import type { ChildOrder } from '../../run-context/child-order.ts'
import { endChildren } from '../delegation/end-children.ts'
import type { EntryBody } from '../../run-context/run-journal.ts'
import { failCall, refuseCall } from './refuse-call.ts'
import type { RunScope } from '../../run-context/run-scope.ts'
import { isStopping, type CallState } from '../../journal/run-state.ts'
import type { CallTrail } from './call-trail.ts'
import type { PreparedTool } from '../../agent/tools/prepare-tool.ts'
import { repairArguments } from './repair-arguments.ts'
import { runValidated } from './run-validated.ts'
import { toToolEnded } from './to-tool-ended.ts'

export interface ExecuteOptions {
  /** Takes the sub-agents that the host is to have run, and for which the call waits. @default they go on within the call */
  readonly left?: ChildOrder[] | undefined
  /** What its result is to be, whatever its handler would say. @default its handler says */
  readonly verdict?: ErrorInfo | undefined
}

/**
 * Brings one tool call to its result, or to the question a person has to answer first: its own, or that of a sub-agent,
 * which has been recorded then. Never rejects for anything a tool or a middleware does.
 */
export async function executeCall(
  run: RunScope,
  state: CallState,
  options?: ExecuteOptions,
): Promise<readonly EntryBody[]> {
  const { call } = state
  const left = options?.left
  const verdict = options?.verdict
  const trail: CallTrail = {
    durationMs: 0,
    input: undefined,
    repaired: false,
    delegation: undefined,
    edit: undefined,
    left,
    over: false,
  }
  let outcome: ToolOutcome
  try {
    outcome = verdict === undefined ? await settle(run, state, trail) : refuseCall(verdict)
    if (outcome.type === 'answer') outcome = await checkAnswer(run, outcome, call.name)
  } catch (error) {
    if (isStoreFailure(error)) throw error
    outcome = failCall(error, call.name)
  }
  trail.over = true
  if (trail.delegation !== undefined) {
    if (await trail.delegation.settle()) {
      left?.push(...trail.delegation.orders)
      return []
    }
  } else if (state.children !== undefined) await endChildren(run, call.callId, () => false)
  if (outcome.type === 'handoff') {
    // At once: another call of the answer must find it.
    run.journal.record(acceptHandoff(run, outcome, { call, turn: run.state.turn, durationMs: trail.durationMs }))
    return []
  }
  if (outcome.type === 'ask' && run.canAsk) return [toApprovalRequested(run, { state, outcome, trail })]
  const { durationMs, edit } = trail
  const ended = toToolEnded({ call, turn: run.state.turn, outcome, durationMs, edit })
  return outcome.type === 'answer' ? [ended, { type: 'output.accepted', value: outcome.output }] : [ended]
}

/** Whatever tool ends the run, it does so with what the agent promises. */
async function checkAnswer(run: RunScope, answer: ToolAnswer, tool: string): Promise<ToolOutcome> {
  const { ok, issues = [] } = (await run.prepared.output?.validate(answer.output)) ?? { ok: true }
  return ok ? answer : refuseCall({ code: 'tool-input-invalid', tool, issues: [...issues] })
}

/** What a middleware throws is thrown on. */
function settle(run: RunScope, state: CallState, trail: CallTrail): ToolOutcome | Promise<ToolOutcome> {
  const { call, attempts, effect } = state
  const { name } = call
  if (isStopping(run.state) || run.stopper.stopped)
    return refuseCall({ code: 'tool-cancelled', tool: name, started: attempts > 0 })
  const prepared = run.tools.byName.get(name)
  // Started before a crash, and its end is unknown: only what may repeat, or can be looked up, goes on.
  if (attempts > 0 && effect === 'once' && prepared?.tool.reconcile === undefined)
    return refuseCall({ code: 'tool-interrupted', tool: name })
  if (prepared === undefined) {
    return refuseCall({ code: 'tool-unknown', tool: name, available: [...run.tools.byName.keys()] })
  }
  const parsed = parseArguments(call.arguments)
  if (parsed.ok) return goOn(run, { prepared, state, trail, value: parsed.value })
  return repaired(run, { prepared, state, trail, detail: parsed.detail })
}

interface ParsedCall {
  readonly prepared: PreparedTool
  readonly state: CallState
  readonly trail: CallTrail
}

/** Goes on with what the model must have meant, if that can be told. */
async function repaired(
  run: RunScope,
  { prepared, state, trail, detail }: ParsedCall & { readonly detail: string },
): Promise<ToolOutcome> {
  const { call } = state
  // Of a truncated answer nobody knows what was still to come.
  const mayRepair = run.prepared.agent.repairArguments !== false && run.state.finish !== 'length'
  const value = mayRepair ? await repairArguments(call.arguments, prepared.validate) : undefined
  if (value === undefined) return refuseCall({ code: 'tool-arguments-unparsable', tool: call.name, detail })
  trail.repaired = true
  return goOn(run, { prepared, state, trail, value })
}

function goOn(
  run: RunScope,
  { prepared, state, trail, value }: ParsedCall & { readonly value: unknown },
): ToolOutcome | Promise<ToolOutcome> {
  const { call, approval } = state
  const { callId } = call
  const answer = approval === undefined ? undefined : answerOf(approval)
  if (answer !== undefined) {
    trail.input = approval?.request.input
    return answer
  }
  const { decision } = approval ?? {}
  const input = decision?.type === 'modified' ? decision.input : value
  const first: ToolCall = { turn: run.state.turn, callId, tool: prepared.tool, input, signal: run.stopper.signal }
  if (run.aroundTool === undefined) return runValidated(run, { prepared, given: first, state, trail })
  return run.aroundTool(given => runValidated(run, { prepared, given, state, trail }))(first)
}

/** Why a call was denied that nobody decided about in time. */
export const APPROVAL_TIMED_OUT = 'nobody approved it in time.'

/** The outcome of a decision that is no yes; undefined for one. */
function answerOf({ request, decision }: NonNullable<CallState['approval']>): ToolOutcome | undefined {
  const denied = (reason: string): ToolOutcome => refuseCall({ code: 'tool-denied', tool: request.name, reason })
  switch (decision?.type) {
    case 'rejected':
      return denied(decision.reason)
    case 'timed-out':
      return denied(APPROVAL_TIMED_OUT)
    case 'escalated':
      if ('agent' in decision) return toolHandoff(decision.agent, { task: decision.task })
      return toolAsk(decision.prompt ?? request.prompt, { roles: decision.roles, expiresInMs: request.expiresInMs })
    case 'approved':
    case 'modified':
    case undefined:
      return undefined
  }
}

interface Asking {
  readonly state: CallState
  readonly outcome: Extract<ToolOutcome, { type: 'ask' }>
  readonly trail: CallTrail
}

function toApprovalRequested(run: RunScope, { state, outcome, trail }: Asking): EntryBody {
  const { callId, name } = state.call
  const { prompt, roles, expiresInMs } = outcome
  const now = run.clock.now()
  return {
    type: 'approval.requested',
    turn: run.state.turn,
    request: {
      approvalId: createId(now),
      callId,
      name,
      input: trail.input ?? null,
      prompt,
      ...(roles === undefined ? {} : { roles: [...roles] }),
      ...(expiresInMs === undefined ? {} : { expiresInMs, expiresAt: now + expiresInMs }),
    },
  }
}

/** The arguments as a value. A model that has nothing to say writes nothing, which means no arguments. */
function parseArguments(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly detail: string } {
  if (text.trim() === '') return { ok: true, value: {} }
  try {
    const value: unknown = JSON.parse(text)
    // An object encoded twice is a string: no tool takes one, and what it holds may be told.
    return typeof value === 'string' ? { ok: false, detail: 'it is a string' } : { ok: true, value }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

function isStoreFailure(error: unknown): boolean {
  return ParleyError.is(error) && error.info.code.startsWith('store-')
}
