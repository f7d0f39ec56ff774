import { ParleyError } from '../errors/parley-error.ts'
import type { RetryPolicy } from './retry-policy.ts'

interface Rule {
  readonly holds: (value: number) => boolean
  readonly must: string
}

const COUNT: Rule = { holds: value => Number.isInteger(value) && value >= 0, must: 'a whole number of at least 0' }
const DURATION: Rule = { holds: value => value >= 0, must: 'a number of milliseconds of at least 0' }

const RULES: Readonly<Record<Exclude<keyof RetryPolicy, 'backoff'>, Rule>> = {
  maxRetries: { ...COUNT, holds: value => value === Infinity || COUNT.holds(value) },
  maxWaitMs: DURATION,
  initialDelayMs: { ...DURATION, holds: value => Number.isFinite(value) && value >= 0 },
  factor: { holds: value => Number.isFinite(value) && value >= 1, must: 'a number of at least 1' },
  maxDelayMs: DURATION,
  jitter: { holds: value => value >= 0 && value <= 1, must: 'a number from 0 to 1' },
}

/** @throws ParleyError `config-invalid`, below `path`, for an option that is none, or a value that makes no sense. */
export function checkRetryPolicy({ backoff = 'exponential', ...numbers }: RetryPolicy, path: string): void {
  const refuse = (name: string, detail: string): never => {
    throw new ParleyError({ code: 'config-invalid', path: `${path}.${name}`, detail })
  }
  if (backoff !== 'exponential' && backoff !== 'linear')
    refuse('backoff', `is '${String(backoff)}', it must be exponential or linear`)
  if (backoff === 'linear' && numbers.factor !== undefined) refuse('factor', 'has no effect on linear backoff')
  for (const [name, value] of Object.entries<number | undefined>(numbers)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof typeof RULES] : undefined
    if (rule === undefined) return refuse(name, 'is no option')
    if (value !== undefined && !(typeof value === 'number' && rule.holds(value)))
      refuse(name, `is ${String(value)}, it must be ${rule.must}`)
  }
}
