import type { ErrorCode, ErrorInfo, ModelEvent } from '@parley/core'

const CONFLICT = 409
const TRANSIENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model-rate-limited',
  'model-overloaded',
  'model-server',
  'model-network',
  'model-stream',
])

/**
 * Whether the same model call may succeed if it is repeated. The answer ignores what the call has already emitted: a call
 * with visible output must not be repeated, see {@link isVisibleEvent}.
 */
export function isRetryable(error: ErrorInfo): boolean {
  if (TRANSIENT.has(error.code)) return true
  if (error.code === 'model-timeout') return error.deadline !== 'idle' && error.deadline !== 'total'
  return error.code === 'model-invalid-request' && error.status === CONFLICT
}

/**
 * Whether another model may succeed where one failed: outages, overload, rate limits, broken streams and every kind of
 * timeout. A fault of the request or the key would occur at the next model too, or the next model would hide it.
 */
export function fallsThrough(error: ErrorInfo): boolean {
  return error.code === 'model-timeout' || (error.code !== 'model-invalid-request' && isRetryable(error))
}

/** Whether an event is part of the answer. A call that has emitted one must not be repeated: the reader would see it twice. */
export function isVisibleEvent({ type }: ModelEvent): boolean {
  return type !== 'usage' && type !== 'retry'
}
