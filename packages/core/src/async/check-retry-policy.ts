import { refuseOption } from '../errors/refuse-option.ts'
import { checkOptions } from '../options/check-options.ts'
import type { OptionKinds } from '../options/option-kind.ts'
import type { RetryPolicy } from './retry-policy.ts'

interface Rule {
  readonly holds: (value: number) => boolean
  readonly must: string
}

const COUNT: Rule = { holds: value => Number.isInteger(value) && value >= 0, must: 'an integer of at least 0' }
const DURATION: Rule = { holds: value => value >= 0, must: 'a number of milliseconds of at least 0' }

const RULES: Readonly<Record<Exclude<keyof RetryPolicy, 'backoff'>, Rule>> = {
  maxRetries: { ...COUNT, holds: value => value === Infinity || COUNT.holds(value) },
  maxWaitMs: DURATION,
  initialDelayMs: { ...DURATION, holds: value => Number.isFinite(value) && value >= 0 },
  factor: { holds: value => Number.isFinite(value) && value >= 1, must: 'a number of at least 1' },
  maxDelayMs: DURATION,
  jitter: { holds: value => value >= 0 && value <= 1, must: 'a number from 0 to 1' },
}

const OPTIONS: OptionKinds<RetryPolicy> = {
  maxRetries: 'number',
  maxWaitMs: 'number',
  initialDelayMs: 'number',
  backoff: ['exponential', 'linear'],
  factor: 'number',
  maxDelayMs: 'number',
  jitter: 'number',
}

/**
 * Checks a retry policy.
 * @param path Path of the policy in the configuration, for errors.
 * @throws ParleyError `config-invalid` if an option is unknown or out of range.
 */
export function checkRetryPolicy(policy: RetryPolicy, path: string): void {
  checkOptions(path, policy, OPTIONS)
  const { backoff, ...numbers } = policy
  if (backoff === 'linear' && numbers.factor !== undefined)
    refuseOption(`${path}.factor`, 'has no effect on linear backoff')
  for (const [name, rule] of Object.entries(RULES)) {
    const value = numbers[name as keyof typeof RULES]
    if (value !== undefined && !rule.holds(value)) refuseOption(`${path}.${name}`, `is ${value}; must be ${rule.must}`)
  }
}
