import type { RetryPolicy } from './retry-policy.ts'

/** How delays grow from one attempt to the next. The same fields as in `RetryPolicy`. */
export type Backoff = Pick<RetryPolicy, 'initialDelayMs' | 'backoff' | 'factor' | 'maxDelayMs' | 'jitter'>

/**
 * Returns the milliseconds to wait before the next attempt.
 * @param failures Number of failed attempts so far, at least 1.
 * @param random A number in [0, 1). It scales the share of `jitter` that is subtracted.
 */
export function backoffMs(failures: number, random: number, options: Backoff = {}): number {
  const { initialDelayMs = 500, backoff, factor = 2, maxDelayMs = 8_000, jitter = 0.25 } = options
  const growth = backoff === 'linear' ? failures : factor ** (failures - 1)
  return Math.min(initialDelayMs * growth, maxDelayMs) * (1 - jitter * random)
}
