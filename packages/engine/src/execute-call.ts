import {
  describeError,
  isToolOutcome,
  ParleyError,
  toolError,
  toolOk,
  type ErrorInfo,
  type Json,
  type ToolCall,
  type ToolFailure,
  type ToolMessage,
  type ToolOutcome,
} from '@parley/core'
import type { Validate, Validation } from './compile-schema.ts'
import { invokeHandler, type Handled } from './invoke-handler.ts'
import type { PreparedTool } from './prepare-tool.ts'
import type { EntryBody } from './run-journal.ts'
import type { RunScope } from './run-scope.ts'
import type { CallState } from './run-state.ts'

/** Brings one tool call to its result. Never rejects for anything a tool or a middleware does. */
export async function executeCall(
  run: RunScope,
  state: CallState,
): Promise<Extract<EntryBody, { type: 'tool.ended' }>> {
  const { callId, name } = state.call
  const timing = { durationMs: 0 }
  let outcome: ToolOutcome
  try {
    outcome = await settle(run, state, timing)
  } catch (error) {
    if (isStoreFailure(error)) throw error
    outcome = failed(error, name)
  }
  const message: ToolMessage = { role: 'tool', callId, name, content: [...outcome.content] }
  const { turn } = run.state
  const { durationMs } = timing
  if (outcome.type === 'ok') {
    if (outcome.structured !== undefined) message.structured = outcome.structured
    return { type: 'tool.ended', turn, callId, name, message, durationMs }
  }
  message.isError = true
  return { type: 'tool.ended', turn, callId, name, message, error: outcome.error ?? wordsOf(outcome, name), durationMs }
}

/** What a middleware throws is thrown on. */
function settle(run: RunScope, state: CallState, timing: { durationMs: number }): ToolOutcome | Promise<ToolOutcome> {
  const { call, attempts, effect } = state
  const { callId, name } = call
  if (run.stopper.stopped) return refused({ code: 'tool-cancelled', tool: name, started: attempts > 0 })
  // Started before a crash, and its end is unknown: only what may repeat is run again.
  if (attempts > 0 && effect === 'once') return refused({ code: 'tool-interrupted', tool: name })
  const prepared = run.tools.byName.get(name)
  if (prepared === undefined) {
    return refused({ code: 'tool-unknown', tool: name, available: [...run.tools.byName.keys()] })
  }
  const parsed = parseArguments(call.arguments)
  if (!parsed.ok) return refused({ code: 'tool-arguments-unparsable', tool: name, detail: parsed.detail })
  const { tool } = prepared
  const first: ToolCall = { turn: run.state.turn, callId, tool, input: parsed.value, signal: run.stopper.signal }
  if (run.aroundTool === undefined) return runValidated(run, { prepared, given: first, state, timing })
  return run.aroundTool(given => runValidated(run, { prepared, given, state, timing }))(first)
}

interface ValidatedCall {
  readonly prepared: PreparedTool
  /** As the last middleware passed it on. */
  readonly given: ToolCall
  readonly state: CallState
  readonly timing: { durationMs: number }
}

async function runValidated(run: RunScope, { prepared, given, state, timing }: ValidatedCall): Promise<ToolOutcome> {
  const { tool, effect, gate } = prepared
  const checking = prepared.validate(given.input)
  const checked: Validation = checking instanceof Promise ? await checking : checking
  if (!checked.ok) return refused({ code: 'tool-input-invalid', tool: tool.name, issues: [...checked.issues] })
  if (tool.permission === 'deny') {
    return refused({ code: 'tool-denied', tool: tool.name, reason: 'it is not permitted to this agent.' })
  }
  const leave = gate === undefined ? undefined : await gate.acquire()
  try {
    const attempt = state.attempts + 1
    const input = checked.value as Json
    run.journal.record({
      type: 'tool.started',
      turn: given.turn,
      callId: given.callId,
      name: tool.name,
      input,
      effect,
      attempt,
    })
    const committing = run.journal.commit()
    if (committing !== undefined) await committing
    const startedAt = run.clock.now()
    const handling = invokeHandler(run, { tool, call: given, input })
    const handled = handling instanceof Promise ? await handling : handling
    timing.durationMs = run.clock.now() - startedAt
    if (prepared.validateOutput === undefined) return toOutcome(handled, tool.name)
    return await withValidOutput(handled, prepared.validateOutput, tool.name)
  } finally {
    leave?.()
  }
}

function toOutcome(handled: Handled, tool: string): ToolOutcome {
  if (handled.type === 'refused') return refused(handled.error)
  if (handled.type === 'threw') return failed(handled.error, tool)
  const { value } = handled
  if (isToolOutcome(value)) return value
  if (typeof value === 'string') return toolOk(value)
  try {
    return toolOk(JSON.stringify(value) ?? 'Done.')
  } catch (error) {
    return failed(error, tool)
  }
}

async function withValidOutput(handled: Handled, validate: Validate, tool: string): Promise<ToolOutcome> {
  const outcome = toOutcome(handled, tool)
  if (outcome.type === 'error' || handled.type !== 'returned') return outcome
  const { ok, issues = [] } = await validate(isToolOutcome(handled.value) ? outcome.structured : handled.value)
  return ok ? outcome : refused({ code: 'tool-output-invalid', tool, issues: [...issues] })
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

function refused(error: ErrorInfo): ToolFailure {
  return toolError(describeError(error), { error })
}

function failed(error: unknown, tool: string): ToolFailure {
  if (ParleyError.is(error)) return refused(error.info)
  return refused({ code: 'tool-failed', tool, detail: error instanceof Error ? error.message : String(error) })
}

function wordsOf({ content, retryable, metadata }: ToolFailure, tool: string): ErrorInfo {
  const detail = content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
  return { code: 'tool-failed', tool, detail, retryable, ...(metadata === undefined ? {} : { metadata }) }
}

function isStoreFailure(error: unknown): boolean {
  return ParleyError.is(error) && error.info.code.startsWith('store-')
}
