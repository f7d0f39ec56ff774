import { createRefuse } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'

export interface ParallelCallsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
}

/**
 * Returns the field that says whether one answer may contain several tool calls; `{}` if the setting is undefined.
 * @throws `model-unsupported` if the setting is false and the server cannot limit a model to one call at a time.
 */
export function parallelCallsField(
  setting: boolean | undefined,
  { provider, model, quirks: { serialToolCalls = true } }: ParallelCallsOptions,
): Readonly<Record<string, boolean>> {
  if (setting === undefined) return {}
  if (serialToolCalls) return { parallel_tool_calls: setting }
  if (setting) return {}
  throw createRefuse({ provider, model })(
    'This server cannot limit a model to one tool call at a time. Leave out settings.parallelToolCalls.',
  )
}
