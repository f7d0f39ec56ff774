import { describeError, toolError, type ErrorInfo, type ToolFailure } from '@parley/core'

/** Creates the outcome of a tool call that a middleware refuses. The model reads the error's message. */
export function refuse(error: ErrorInfo): ToolFailure {
  return toolError(describeError(error), { error })
}
