import { ParleyError } from '@parley/core'
import type { Quirks } from '../quirks/quirks.ts'

export interface ParallelCallsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
}

/**
 * Whether one answer may hold several calls, for a request with tools; nothing where the caller leaves it open.
 * @throws `model-unsupported` when a server is to make one call at a time that cannot be told to.
 */
export function parallelCallsField(
  setting: boolean | undefined,
  { provider, model, quirks: { serialToolCalls = true } }: ParallelCallsOptions,
): Readonly<Record<string, boolean>> {
  if (setting === undefined) return {}
  if (serialToolCalls) return { parallel_tool_calls: setting }
  if (setting) return {}
  throw new ParleyError({
    code: 'model-unsupported',
    provider,
    model,
    detail: 'It cannot be told to make one call at a time. Leave out settings.parallelToolCalls.',
  })
}
