import { toErrorInfo, toolError, type ToolEffect, type ToolFailure } from '@parley/core'

export interface ToolFailureFacts {
  readonly tool: string
  readonly effect: ToolEffect
}

/** Creates the failure that the model reads if the request could not be sent or got no answer. */
export function toToolFailure(error: unknown, { tool, effect }: ToolFailureFacts): ToolFailure {
  const info = toErrorInfo(error)
  const message = error instanceof Error ? error.message : String(error)
  if (info.code === 'mcp-server-failed') {
    return toolError(`${sentence(message)} The call was not sent.`, { error: info, retryable: true })
  }
  if (info.code === 'mcp-auth-required') return toolError(message, { error: info })
  // The server refuses before any effect, and would refuse again.
  if (info.code !== 'mcp-request-failed' || info.reason === 'refused') return toolError(message, { error: info })
  const { reason, timeoutMs } = info
  const shown = timeoutMs === undefined ? info : ({ code: 'tool-timeout', tool, ms: timeoutMs } as const)
  if (effect === 'once')
    return toolError(`${sentence(message)} Whether the call took effect is unknown.`, { error: shown })
  return toolError(message, { error: shown, retryable: reason !== 'invalid' })
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
