import {
  jsonTextFault,
  ParleyError,
  storageFault,
  type ErrorInfo,
  type ToolAnswer,
  type ToolAsk,
  type ToolCall,
  type ToolHandoff,
  type ToolOutcome,
  type ToolPending,
} from '@parley/core'
import { isInterrupted } from './interrupted-call.ts'
import { acceptHandoff } from './accept-handoff.ts'
import type { ChildOrder } from '../../run-context/children/child-order.ts'
import type { EntryBody } from '../../run-context/run-journal.ts'
import { answerOf, toApprovalRequested } from './approval-call.ts'
import { NO_STORE, toToolRequested } from './client-call.ts'
import { failCall, refuseCall, toToolEnded } from './call-outcome.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { isStopping, type CallState } from '../../journal/run-state.ts'
import type { CallNotes } from './call-notes.ts'
import type { PreparedTool } from '../../agent/tools/prepare-tool.ts'
import { mayRepair, repairArguments } from './repair-arguments.ts'
import { runValidated } from './run-validated.ts'

export interface ExecuteOptions {
  /** Receives the child runs that the host must start and the call waits for. @default child runs run within the call */
  readonly orders?: ChildOrder[] | undefined
  /** Becomes the result of the call instead of what its handler returns. @default the handler runs */
  readonly verdict?: ErrorInfo | undefined
}

/**
 * Brings one tool call to its result or to its request for approval. A child run's request is already recorded. Resolves
 * whatever a tool or a middleware does; rejects only if the store fails or refuses an entry.
 */
export async function executeCall(
  run: RunContext,
  state: CallState,
  options?: ExecuteOptions,
): Promise<readonly EntryBody[]> {
  const { call } = state
  const orders = options?.orders
  const verdict = options?.verdict
  const notes: CallNotes = {
    durationMs: 0,
    input: undefined,
    repaired: false,
    delegation: undefined,
    edit: undefined,
    mayLeave: orders !== undefined,
    over: false,
  }
  let outcome: ToolOutcome
  try {
    outcome = verdict === undefined ? await settle(run, state, notes) : refuseCall(verdict)
    if (outcome.type === 'answer') outcome = await checkAnswer(run, outcome, call.name)
    outcome = keepable(outcome, call.name)
  } catch (error) {
    if (run.journal.isBroken || isStoreFailure(error)) throw error
    outcome = failCall(error, call.name)
  }
  notes.over = true
  if (notes.delegation !== undefined) {
    if (await notes.delegation.settle()) {
      orders?.push(...notes.delegation.orders)
      return []
    }
  } else if (state.children !== undefined) await run.delegations.end(call.callId)
  if (outcome.type === 'handoff') {
    // Recorded at once: another call of the same answer must not hand over too.
    run.journal.record(acceptHandoff(run, outcome, { call, turn: run.state.turn, durationMs: notes.durationMs }))
    return []
  }
  if (outcome.type === 'ask' && run.approvals.canAsk) return [toApprovalRequested(run, { state, outcome, notes })]
  if (outcome.type === 'pending') {
    if (run.approvals.canSuspend) return [toToolRequested(run, call, notes)]
    outcome = refuseCall({ code: 'tool-denied', tool: call.name, reason: NO_STORE })
  }
  const { durationMs, edit } = notes
  const ended = toToolEnded({ call, turn: run.state.turn, outcome, durationMs, edit })
  return outcome.type === 'answer' ? [ended, { type: 'output.accepted', value: outcome.output }] : [ended]
}

/** Checks the value with which a tool ends the run: it must match the agent's output schema. Otherwise the call fails. */
async function checkAnswer(run: RunContext, answer: ToolAnswer, tool: string): Promise<ToolOutcome> {
  const { ok, issues = [] } = (await run.agent.output?.validate(answer.output)) ?? { ok: true }
  return ok ? answer : refuseCall({ code: 'tool-input-invalid', tool, issues: [...issues] })
}

/** The outcome, or a failure if a journal could not keep it. */
function keepable(outcome: ToolOutcome, tool: string): ToolOutcome {
  if (outcome.type === 'handoff' || outcome.type === 'ask' || outcome.type === 'pending') return outcome
  const { content } = outcome
  const fault = Array.isArray(content) && content.every(isPart) ? faultOf(outcome) : 'has no valid content'
  if (fault === undefined) return outcome
  return refuseCall({ code: 'tool-failed', tool, detail: `its result ${fault}.` })
}

function faultOf(outcome: Exclude<ToolOutcome, ToolHandoff | ToolAsk | ToolPending>): string | undefined {
  const inContent = storageFault(outcome.content)
  if (inContent !== undefined) return inContent
  // The value of a handler is not journaled.
  if (outcome.type === 'ok') return storageFault(outcome.structured)
  return storageFault(outcome.type === 'answer' ? outcome.output : [outcome.error, outcome.metadata])
}

function isPart(part: unknown): boolean {
  if (typeof part !== 'object' || part === null || !('type' in part)) return false
  if (part.type === 'text') return 'text' in part && typeof part.text === 'string'
  return part.type === 'file' && 'mediaType' in part && typeof part.mediaType === 'string' && 'source' in part
}

function settle(run: RunContext, state: CallState, notes: CallNotes): Promise<ToolOutcome> | ToolOutcome {
  const { call, attempts } = state
  const { name } = call
  if (isStopping(run.state) || run.stopper.stopped)
    return refuseCall({ code: 'tool-cancelled', tool: name, started: attempts > 0 })
  const prepared = run.tools.byName.get(name)
  // A crash hid the outcome of the call: it continues only if the tool may repeat it or can look it up.
  if (isInterrupted(state) && prepared?.tool.reconcile === undefined)
    return refuseCall({ code: 'tool-interrupted', tool: name })
  if (prepared === undefined) {
    return refuseCall({ code: 'tool-unknown', tool: name, available: [...run.tools.byName.keys()] })
  }
  const parsed = parseArguments(call.arguments)
  if (parsed.ok) return runParsed(run, { prepared, state, notes, value: parsed.value })
  return repaired(run, { prepared, state, notes, detail: parsed.detail })
}

interface ParsedCall {
  readonly prepared: PreparedTool
  readonly state: CallState
  readonly notes: CallNotes
}

/** Continues with repaired arguments, if a repair fits the schema. */
async function repaired(
  run: RunContext,
  { prepared, state, notes, detail }: ParsedCall & { readonly detail: string },
): Promise<ToolOutcome> {
  const { call } = state
  const value = mayRepair(run, call.arguments) ? await repairArguments(call.arguments, prepared.validate) : undefined
  if (value === undefined) return refuseCall({ code: 'tool-arguments-unparsable', tool: call.name, detail })
  notes.repaired = true
  return runParsed(run, { prepared, state, notes, value })
}

function runParsed(
  run: RunContext,
  { prepared, state, notes, value }: ParsedCall & { readonly value: unknown },
): Promise<ToolOutcome> | ToolOutcome {
  const { call, approval } = state
  const { callId } = call
  const answer = approval === undefined ? undefined : answerOf(approval)
  if (answer !== undefined) {
    notes.input = approval?.request.input
    return answer
  }
  const { decision } = approval ?? {}
  const input = decision?.type === 'modified' ? decision.input : value
  const first: ToolCall = { turn: run.state.turn, callId, tool: prepared.tool, input, signal: run.stopper.signal }
  if (run.middleware.tool === undefined)
    return runValidated(run, { prepared, given: first, state, notes, parsed: value })
  return run.middleware.tool(given => runValidated(run, { prepared, given, state, notes, parsed: value }))(first)
}

/** The arguments as a value. Models write an empty text for a call without arguments. */
function parseArguments(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly detail: string } {
  if (text.trim() === '') return { ok: true, value: {} }
  const fault = jsonTextFault(text)
  if (fault !== undefined) return { ok: false, detail: `the value ${fault}` }
  try {
    const value: unknown = JSON.parse(text)
    // A JSON string holds arguments that the model encoded twice; `repairArguments` decodes them.
    return typeof value === 'string' ? { ok: false, detail: 'it is a string' } : { ok: true, value }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

function isStoreFailure(error: unknown): boolean {
  return ParleyError.is(error) && error.info.code.startsWith('store-')
}
