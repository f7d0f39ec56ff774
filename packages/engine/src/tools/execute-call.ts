import { createId, ParleyError, toolAsk, type ToolCall, type ToolOutcome } from '@parley/core'
import { acceptHandoff } from '../agents/accept-handoff.ts'
import { endChildren } from '../agents/end-children.ts'
import type { EntryBody } from '../journal/run-journal.ts'
import { failCall, refuseCall } from './refuse-call.ts'
import type { RunScope } from '../run/run-scope.ts'
import { isStopping, type CallState } from '../journal/run-state.ts'
import type { CallTrail } from './call-trail.ts'
import { runValidated } from './run-validated.ts'
import { toToolEnded } from './to-tool-ended.ts'

/**
 * Brings one tool call to its result, or to the question a person has to answer first: its own, or that of a sub-agent,
 * which has been recorded then. Never rejects for anything a tool or a middleware does.
 */
export async function executeCall(run: RunScope, state: CallState): Promise<EntryBody | undefined> {
  const { call } = state
  const trail: CallTrail = { durationMs: 0, input: undefined, delegation: undefined, over: false }
  let outcome: ToolOutcome
  try {
    outcome = await settle(run, state, trail)
  } catch (error) {
    if (isStoreFailure(error)) throw error
    outcome = failCall(error, call.name)
  }
  trail.over = true
  if (trail.delegation !== undefined) {
    if (await trail.delegation.settle()) return undefined
  } else if (state.children !== undefined) await endChildren(run, call.callId, () => false)
  if (outcome.type === 'handoff') {
    // At once: another call of the answer must find it.
    run.journal.record(acceptHandoff(run, outcome, { call, turn: run.state.turn, durationMs: trail.durationMs }))
    return undefined
  }
  if (outcome.type === 'ask' && run.canAsk) return toApprovalRequested(run, { state, outcome, trail })
  return toToolEnded({ call, turn: run.state.turn, outcome, durationMs: trail.durationMs })
}

/** What a middleware throws is thrown on. */
function settle(run: RunScope, state: CallState, trail: CallTrail): ToolOutcome | Promise<ToolOutcome> {
  const { call, attempts, effect, approval } = state
  const { callId, name } = call
  if (isStopping(run.state) || run.stopper.stopped)
    return refuseCall({ code: 'tool-cancelled', tool: name, started: attempts > 0 })
  // Started before a crash, and its end is unknown: only what may repeat is run again.
  if (attempts > 0 && effect === 'once') return refuseCall({ code: 'tool-interrupted', tool: name })
  const prepared = run.tools.byName.get(name)
  if (prepared === undefined) {
    return refuseCall({ code: 'tool-unknown', tool: name, available: [...run.tools.byName.keys()] })
  }
  const parsed = parseArguments(call.arguments)
  if (!parsed.ok) return refuseCall({ code: 'tool-arguments-unparsable', tool: name, detail: parsed.detail })
  const answer = approval === undefined ? undefined : answerOf(approval)
  if (answer !== undefined) {
    trail.input = approval?.request.input
    return answer
  }
  const { decision } = approval ?? {}
  const input = decision?.type === 'modified' ? decision.input : parsed.value
  const first: ToolCall = { turn: run.state.turn, callId, tool: prepared.tool, input, signal: run.stopper.signal }
  if (run.aroundTool === undefined) return runValidated(run, { prepared, given: first, state, trail })
  return run.aroundTool(given => runValidated(run, { prepared, given, state, trail }))(first)
}

/** The outcome of a decision that is no yes; undefined for one. */
function answerOf({ request, decision }: NonNullable<CallState['approval']>): ToolOutcome | undefined {
  const denied = (reason: string): ToolOutcome => refuseCall({ code: 'tool-denied', tool: request.name, reason })
  switch (decision?.type) {
    case 'rejected':
      return denied(decision.reason)
    case 'timed-out':
      return denied('nobody approved it in time.')
    case 'escalated':
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
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

function isStoreFailure(error: unknown): boolean {
  return ParleyError.is(error) && error.info.code.startsWith('store-')
}
