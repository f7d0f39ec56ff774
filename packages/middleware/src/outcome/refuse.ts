import { describeError, toolError, type ErrorInfo, type ToolFailure } from '@parley/core'

/** The outcome of a call that a middleware does not let through: the model reads the cause's sentence. */
export function refuse(error: ErrorInfo): ToolFailure {
  return toolError(describeError(error), { error })
}
