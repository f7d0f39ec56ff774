import { backoffMs, type ErrorInfo, type RetryPolicy } from '@parley/core'
import { isRetryable } from './is-retryable.ts'

/** A failed request. */
export interface FailedRequest {
  readonly error: { readonly info: ErrorInfo }
  /** Whether the server asks for a retry or forbids one. Takes precedence over the status. */
  readonly shouldRetry?: boolean | undefined
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number | undefined
}

export interface RetryDelayOptions {
  /** Number of failures so far, from 1. */
  readonly failures: number
  readonly policy: RetryPolicy
  /** Returns a number in [0, 1). */
  readonly random: () => number
}

/**
 * Returns how many milliseconds to wait before the request is sent again: as long as the server asks, or else longer with each
 * failure. `undefined` if it is not sent again, because retrying cannot help, was tried often enough or would take too long.
 */
export function retryDelay(
  { error, shouldRetry, retryAfterMs }: FailedRequest,
  { failures, policy, random }: RetryDelayOptions,
): number | undefined {
  const { maxRetries = 2, maxWaitMs = 60_000 } = policy
  if (failures > maxRetries || !(shouldRetry ?? isRetryable(error.info))) return undefined
  const delayMs = retryAfterMs ?? backoffMs(failures, random(), policy)
  return delayMs > maxWaitMs ? undefined : delayMs
}
