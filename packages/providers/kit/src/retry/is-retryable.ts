import type { ErrorCode, ErrorInfo } from '@parley/core'

const CONFLICT = 409
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model-rate-limited',
  'model-overloaded',
  'model-server',
  'model-network',
  'model-stream',
])

/**
 * Whether the same model call may succeed when it is made again. Says nothing about what was already shown: a call
 * that showed something must not be repeated behind the reader's back.
 */
export function isRetryable(error: ErrorInfo): boolean {
  if (PASSING.has(error.code)) return true
  if (error.code === 'model-timeout') return error.deadline !== 'idle' && error.deadline !== 'total'
  return error.code === 'model-invalid-request' && error.status === CONFLICT
}
