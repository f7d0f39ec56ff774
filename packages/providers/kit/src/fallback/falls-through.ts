import type { ErrorInfo } from '@parley/core'
import { isRetryable } from '../retry/is-retryable.ts'

/**
 * Whether another model may succeed where one failed: outages, overload, rate limits, broken streams and every kind of
 * timeout. What the request or the key is at fault for would fail there too, or must not be hidden.
 */
export function fallsThrough(error: ErrorInfo): boolean {
  return error.code === 'model-timeout' || (error.code !== 'model-invalid-request' && isRetryable(error))
}
