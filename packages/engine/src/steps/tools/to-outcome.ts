import { isToolOutcome, toolOk, type ToolOutcome } from '@parley/core'
import type { Validate } from '@parley/core/json-schema'
import type { Handled } from './invoke-handler.ts'
import { failCall, refuseCall } from './refuse-call.ts'

/** What came of a handler, as an outcome: a plain value is shown to the model as text, or as JSON. */
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

/** The same, for a tool that promises a shape. */
export async function withValidOutput(handled: Handled, validate: Validate, tool: string): Promise<ToolOutcome> {
  const outcome = toOutcome(handled, tool)
  if (outcome.type !== 'ok' || handled.type !== 'returned') return outcome
  const { ok, issues = [] } = await validate(isToolOutcome(handled.value) ? outcome.structured : handled.value)
  return ok ? outcome : refuseCall({ code: 'tool-output-invalid', tool, issues: [...issues] })
}
