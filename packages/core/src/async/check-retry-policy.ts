import { ParleyError } from '../errors/parley-error.ts'
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

/**
 * Checks a retry policy.
 * @param path Path of the policy in the configuration, for errors.
 * @throws ParleyError `config-invalid` if an option is unknown or out of range.
 */
export function checkRetryPolicy({ backoff = 'exponential', ...numbers }: RetryPolicy, path: string): void {
  const reject = (name: string, detail: string): never => {
    throw new ParleyError({ code: 'config-invalid', path: `${path}.${name}`, detail })
  }
  if (backoff !== 'exponential' && backoff !== 'linear')
    reject('backoff', `is '${String(backoff)}'; must be exponential or linear`)
  if (backoff === 'linear' && numbers.factor !== undefined) reject('factor', 'has no effect on linear backoff')
  for (const [name, value] of Object.entries<number | undefined>(numbers)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof typeof RULES] : undefined
    if (rule === undefined) return reject(name, `is unknown; known: ${[...Object.keys(RULES), 'backoff'].join(', ')}`)
    if (value !== undefined && !(typeof value === 'number' && rule.holds(value)))
      reject(name, `is ${String(value)}; must be ${rule.must}`)
  }
}
