import type { ModelRequest } from '@parley/core'
import type { ModelRules } from '../models/model-rules.ts'
import type { Refuse } from '../refuse.ts'

export interface ToolChoiceOptions {
  readonly rules: ModelRules
  readonly refuse: Refuse
  /** Whether the call was asked to think. */
  readonly thinks: boolean
}

/**
 * The request's `tool_choice`; undefined for what the API does anyway.
 * @throws `model-unsupported` when the model cannot be made to call a tool.
 */
export function toToolChoice(
  { toolChoice = 'auto', settings: { parallelToolCalls } }: ModelRequest,
  { rules, refuse, thinks }: ToolChoiceOptions,
): Readonly<Record<string, unknown>> | undefined {
  const serial = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  if (toolChoice === 'none') return { type: 'none' }
  if (toolChoice === 'auto') return parallelToolCalls === false ? { type: 'auto', ...serial } : undefined
  if (rules.forcedTools === 'never') throw refuse("This model cannot be made to call a tool. Leave toolChoice 'auto'.")
  if (rules.forcedTools === 'without-thinking' && thinks)
    throw refuse("While it thinks, this model cannot be made to call a tool. Leave toolChoice 'auto'.")
  return toolChoice === 'required' ? { type: 'any', ...serial } : { type: 'tool', name: toolChoice.name, ...serial }
}
