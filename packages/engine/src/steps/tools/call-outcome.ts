import {
  describeError,
  errorStack,
  ParleyError,
  toolError,
  type ErrorInfo,
  type Json,
  type ToolFailure,
  isToolOutcome,
  toolOk,
  type ToolOutcome,
  type ContextEdit,
  type ToolCallPart,
  type ToolHandoff,
  type ToolOk,
  type ToolPending,
  type ToolMessage,
} from '@parley/core'
import type { Validate } from '@parley/core/json-schema'
import type { EntryBody } from '../../run-context/run-journal.ts'
import type { Handled } from './invoke-handler.ts'

/** The outcome of a call that failed with a known error. The model reads the error's message. */
export function refuseCall(error: ErrorInfo): ToolFailure {
  return toolError(describeError(error), { error })
}

/** The outcome of a call whose handler or middleware threw. */
export function failCall(error: unknown, tool: string): ToolFailure {
  if (ParleyError.is(error)) return refuseCall(error.info)
  const detail = error instanceof Error ? error.message : String(error)
  const stack = errorStack(error)
  return refuseCall({ code: 'tool-failed', tool, detail, ...(stack === undefined ? {} : { stack }) })
}

/** The outcome of a handler. The model sees a plain value as text or as JSON. */
export function toOutcome(handled: Handled, tool: string): ToolOutcome {
  if (handled.type === 'refused') return refuseCall(handled.error)
  if (handled.type === 'threw') return failCall(handled.error, tool)
  const { value } = handled
  if (isToolOutcome(value)) return value
  if (typeof value === 'string') return toolOk(value)
  try {
    return Object.assign(toolOk(JSON.stringify(value) ?? 'Done.'), { value })
  } catch (error) {
    return failCall(error, tool)
  }
}

/** Does the same as `toOutcome`, for a tool with an output schema. The result is then recorded as data too. */
export async function withValidOutput(handled: Handled, validate: Validate, tool: string): Promise<ToolOutcome> {
  const outcome = toOutcome(handled, tool)
  if (outcome.type !== 'ok' || handled.type !== 'returned') return outcome
  const { ok, issues = [] } = await validate(isToolOutcome(handled.value) ? outcome.structured : handled.value)
  if (!ok) return refuseCall({ code: 'tool-output-invalid', tool, issues: [...issues] })
  return 'value' in outcome ? withData(outcome) : outcome
}

/** Adds the returned value as data, as it is in JSON. */
function withData(outcome: ToolOk): ToolOutcome {
  const text = JSON.stringify(outcome.value) as string | undefined
  if (text === undefined) return outcome
  return Object.assign(toolOk(outcome.content, JSON.parse(text) as Json), { value: outcome.value })
}

export interface EndedCall {
  readonly call: ToolCallPart
  readonly turn: number
  readonly outcome: Exclude<ToolOutcome, ToolHandoff | ToolPending>
  readonly durationMs: number
  /** The context edit of the handler. Ignored if the call failed. */
  readonly edit?: ContextEdit | undefined
}

/** The entry that records the result of a call. */
export function toToolEnded({
  call,
  turn,
  outcome,
  durationMs,
  edit,
}: EndedCall): Extract<EntryBody, { type: 'tool.ended' }> {
  const { callId, name } = call
  // No approver can be asked, so the request of the handler is a failure.
  const settled =
    outcome.type === 'ask' ? refuseCall({ code: 'tool-denied', tool: name, reason: outcome.prompt }) : outcome
  const message: ToolMessage = { role: 'tool', callId, name, content: [...settled.content] }
  if (settled.type === 'answer') return { type: 'tool.ended', turn, callId, name, message, durationMs }
  if (settled.type === 'ok') {
    if (settled.structured !== undefined) message.structured = settled.structured
    const contextEdit = edit === undefined ? {} : { contextEdit: edit }
    return { type: 'tool.ended', turn, callId, name, message, ...contextEdit, durationMs }
  }
  message.isError = true
  return { type: 'tool.ended', turn, callId, name, message, error: settled.error ?? wordsOf(settled, name), durationMs }
}

function wordsOf({ content, retryable, metadata }: ToolFailure, tool: string): ErrorInfo {
  const detail = content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
  return { code: 'tool-failed', tool, detail, retryable, ...(metadata === undefined ? {} : { metadata }) }
}
