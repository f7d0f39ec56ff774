import { describeError, ParleyError, toolError, type ErrorInfo, type ToolFailure } from '@parley/core'

/** The outcome of a call that failed for a foreseen cause: the model reads the cause's sentence. */
export function refuseCall(error: ErrorInfo): ToolFailure {
  return toolError(describeError(error), { error })
}

/** The outcome of a call whose handler, or a middleware around it, threw. */
export function failCall(error: unknown, tool: string): ToolFailure {
  if (ParleyError.is(error)) return refuseCall(error.info)
  return refuseCall({ code: 'tool-failed', tool, detail: error instanceof Error ? error.message : String(error) })
}
