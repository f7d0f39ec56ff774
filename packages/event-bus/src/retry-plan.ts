import { backoffMs } from '@parley/core'

/** How many attempts a delivery gets, and the delays between them. */
export interface RetryPlan {
  /** Largest number of attempts, including the first. */
  readonly maxAttempts: number
  /** Returns the milliseconds to wait after the failed attempt with this number. */
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
  const plan = { initialDelayMs: retryDelayMs, factor, maxDelayMs: maxRetryDelayMs, jitter: 0 }
  return { maxAttempts, delayMs: attempt => backoffMs(attempt, 0, plan) }
}
