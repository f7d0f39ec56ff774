import { describe, expect, it } from 'vitest'
import { checkRetryPolicy } from './check-retry-policy.ts'
import type { RetryPolicy } from './retry-policy.ts'

describe('checkRetryPolicy', () => {
  it.each<RetryPolicy>([
    {},
    { maxRetries: 0, maxWaitMs: 0, initialDelayMs: 0, factor: 1, maxDelayMs: 0, jitter: 0 },
    { maxRetries: Infinity, maxWaitMs: Infinity, maxDelayMs: Infinity, jitter: 1, backoff: 'exponential' },
    { backoff: 'linear', initialDelayMs: 10, factor: undefined },
  ])('checkRetryPolicy accepts %j', policy => {
    expect(() => checkRetryPolicy(policy, 'retry')).not.toThrow()
  })

  it.each([
    [{ maxRetries: -1 }, 'maxRetries: is -1; must be an integer'],
    [{ maxRetries: '3' }, "maxRetries: is the string '3'; must be a number"],
    [{ maxWaitMs: Number.NaN }, 'maxWaitMs: is NaN'],
    [{ initialDelayMs: Infinity }, 'initialDelayMs: is Infinity'],
    [{ backoff: 'fast' }, "backoff: is 'fast'; must be exponential or linear"],
    [{ backoff: 'linear', factor: 2 }, 'factor: has no effect on linear backoff'],
    [{ jitter: 2 }, 'jitter: is 2; must be a number from 0 to 1'],
    [{ toString: 3 }, 'toString: is an unknown option'],
  ])('checkRetryPolicy rejects %j with its path', (policy, message) => {
    expect(() => checkRetryPolicy(policy as unknown as RetryPolicy, 'agents.a.retry')).toThrow(
      `agents.a.retry.${message}`,
    )
  })
})
