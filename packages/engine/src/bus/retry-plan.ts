/** How often a delivery is tried, and how long is waited in between. */
export interface RetryPlan {
  /** The first try included. */
  readonly maxAttempts: number
  /** Pause after the failed try of this number, in ms. */
  readonly delayMs: (attempt: number) => number
}

export interface RetryPlanOptions {
  readonly maxAttempts: number
  readonly retryDelayMs: number
  readonly maxRetryDelayMs: number
  readonly backoff: 'exponential' | 'fixed'
}

export function createRetryPlan({ maxAttempts, retryDelayMs, maxRetryDelayMs, backoff }: RetryPlanOptions): RetryPlan {
  const factor = backoff === 'exponential' ? 2 : 1
  return { maxAttempts, delayMs: attempt => Math.min(retryDelayMs * factor ** (attempt - 1), maxRetryDelayMs) }
}
