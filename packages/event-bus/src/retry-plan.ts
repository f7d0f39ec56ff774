import { backoffMs, checkRetryPolicy, refuseOption, type RetryPolicy } from '@parley/core'

/** How many attempts a delivery gets, and the delays between them. */
export interface RetryPlan {
  /** Largest number of attempts, including the first. */
  readonly maxAttempts: number
  /** Returns the milliseconds to wait after the failed attempt with this number. */
  readonly delayMs: (attempt: number) => number
}

const DEFAULTS = { maxRetries: 4, initialDelayMs: 1_000, maxDelayMs: 30_000, jitter: 0 }

/** Makes the plan for a policy. @throws ParleyError `config-invalid` if the policy is invalid. */
export function createRetryPlan(policy: RetryPolicy, random: () => number = Math.random): RetryPlan {
  checkRetryPolicy(policy, 'bus.retry')
  if (policy.maxWaitMs !== undefined) refuseOption('bus.retry.maxWaitMs', 'has no effect: handlers request no waits')
  const given = Object.entries(policy).filter(([, value]) => value !== undefined)
  const { maxRetries, ...backoff } = { ...DEFAULTS, ...Object.fromEntries(given) }
  return { maxAttempts: maxRetries + 1, delayMs: attempt => backoffMs(attempt, random(), backoff) }
}
