import type { ModelRequest } from '@parley/core'
import type { Refuse } from '@parley/provider-kit'
import type { ModelRules } from '../models/model-rules.ts'

export interface ToolChoiceOptions {
  readonly rules: ModelRules
  readonly refuse: Refuse
  /** Whether thinking was requested. */
  readonly thinks: boolean
}

/**
 * Returns the field `tool_choice`; `undefined` for the default of the API.
 * @throws `model-unsupported` if a tool call is required, but the model cannot be forced to call a tool.
 */
export function toToolChoice(
  { toolChoice = 'auto', settings: { parallelToolCalls } }: ModelRequest,
  { rules, refuse, thinks }: ToolChoiceOptions,
): Readonly<Record<string, unknown>> | undefined {
  const serial = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  if (toolChoice === 'none') return { type: 'none' }
  if (toolChoice === 'auto') return parallelToolCalls === false ? { type: 'auto', ...serial } : undefined
  if (rules.forcedTools === 'never')
    throw refuse("This model does not support forced tool calls. Leave toolChoice 'auto'.")
  if (rules.forcedTools === 'without-thinking' && thinks)
    throw refuse("While it thinks, this model does not support forced tool calls. Leave toolChoice 'auto'.")
  return toolChoice === 'required' ? { type: 'any', ...serial } : { type: 'tool', name: toolChoice.name, ...serial }
}
