import { backoffMs } from '@parley/core'

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
  const plan = { initialDelayMs: retryDelayMs, factor, maxDelayMs: maxRetryDelayMs, jitter: 0 }
  return { maxAttempts, delayMs: attempt => backoffMs(attempt, 0, plan) }
}
