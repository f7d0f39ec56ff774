import { ParleyError } from '@parley/core'

/**
 * The HTTP status of a refusal. 0: the server did not answer. `undefined`: another error.
 */
export function statusOf(error: unknown): number | undefined {
  return ParleyError.is(error, 'agent-request-failed') ? (error.info.status ?? 0) : undefined
}

/** The server's own sentence about an error, or its message. */
export function sentenceOf(error: unknown): string {
  if (ParleyError.is(error, 'agent-request-failed')) return error.info.detail
  return error instanceof Error ? error.message : String(error)
}
