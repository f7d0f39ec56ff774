import {
  isJson,
  isToolOutcome,
  ParleyError,
  storageFault,
  toolOk,
  type Json,
  type Submission,
  type ToolFailure,
  type ToolOk,
  type ToolOutcome,
} from '@parley/core'

/** The result of a tool call that the client executed: a value, or an outcome of `toolOk` or `toolError`. */
export type ToolResult = Json | ToolOk | ToolFailure

/**
 * Reads a result in the same way as the return value of a handler: a text is for the model, other values are data.
 * @throws ParleyError `request-invalid` if the result is not a JSON value, is too large or nested too deeply, or is an
 * outcome other than `toolOk` and `toolError`.
 */
export function toSubmission(result: ToolResult): Submission {
  // Before anything walks through the value: a value that is nested too deeply overflows the stack.
  const fault = storageFault(result)
  if (fault !== undefined) refuse(fault)
  const outcome = isToolOutcome(result) ? checkedOutcome(result) : toOk(result)
  const content = [...outcome.content]
  if (outcome.type === 'error') return { type: 'result', content, isError: true }
  const { structured } = outcome
  return structured === undefined ? { type: 'result', content } : { type: 'result', content, structured }
}

function checkedOutcome(outcome: ToolOutcome): ToolOk | ToolFailure {
  if (outcome.type === 'ok' || outcome.type === 'error') return outcome
  return refuse(`is an outcome of type '${outcome.type}'; must be a value, toolOk or toolError`)
}

function toOk(value: Json): ToolOk {
  if (!isJson(value)) refuse('must be a JSON value')
  return typeof value === 'string' ? toolOk(value, value) : toolOk(JSON.stringify(value), value)
}

function refuse(detail: string): never {
  throw new ParleyError({ code: 'request-invalid', path: 'result', detail })
}
