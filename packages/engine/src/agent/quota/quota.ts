import { checkCount, checkNumber, checkOptions, refuseOption, type OptionKinds, type RunFacts } from '@parley/core'

/**
 * What all runs of a runtime or of an agent may use together; `limits` are for one run. `maxTokens`, `maxCost` and `maxRuns` are
 * totals. Unset fields are unlimited.
 */
export interface Quota {
  /**
   * Maximum number of runs at the same time. A suspended run does not count. A child run uses the place of its parent
   * run.
   */
  readonly maxConcurrentRuns?: number | undefined
  /** What happens to a run above `maxConcurrentRuns`: it waits for a place, or is refused with `quota-exceeded`. @default 'wait' */
  readonly onFull?: 'wait' | 'refuse' | undefined
  /**
   * Maximum number of tool calls at the same time; further calls wait in order. Each level of child runs is counted
   * separately: a call that waits for its child run would otherwise block the child run's own calls.
   */
  readonly maxConcurrentToolCalls?: number | undefined
  /**
   * Maximum number of tokens of one model call, input and output together. If the size of the input is known from the
   * previous call, the answer is limited to the remaining tokens. A call that used more fails with `quota-exceeded`.
   */
  readonly maxTokensPerTurn?: number | undefined
  /**
   * Maximum number of tokens of all model calls in the window: input, output and cached. The next call after that fails
   * with `quota-exceeded`. The three totals are kept in the store, for each scope and each `key` separately. So they outlive the
   * process, and all processes with the same store share them. Without a store they are those of this process.
   */
  readonly maxTokens?: number | undefined
  /**
   * Maximum cost of all model calls in the window, in US dollars. The next call after that fails with `quota-exceeded`.
   * Requires models with known prices.
   */
  readonly maxCost?: number | undefined
  /** Maximum number of runs that begin in the window. The next run fails with `quota-exceeded`. Child runs do not count. */
  readonly maxRuns?: number | undefined
  /**
   * Length of the window of the totals, in milliseconds. Windows follow each other without gaps from 1970-01-01T00:00Z:
   * 3_600_000 is each hour, 86_400_000 each day in UTC. A model call counts in the window in which it ends.
   * @default one window that never ends
   */
  readonly windowMs?: number | undefined
  /**
   * Splits the totals of a scope: `'principal'` keeps one for each user or service that runs act for, `'session'` one for each
   * session, and a function one for each text that it returns. It must return the same text, of at most 256 characters, for the
   * same run. @default all runs of a scope share their totals
   */
  readonly key?: 'principal' | 'session' | ((run: RunFacts) => string) | undefined
}

const TOTALS = ['maxTokens', 'maxCost', 'maxRuns'] as const

export const QUOTA: OptionKinds<Quota> = {
  maxConcurrentRuns: 'number',
  onFull: ['wait', 'refuse'],
  maxConcurrentToolCalls: 'number',
  maxTokensPerTurn: 'number',
  maxTokens: 'number',
  maxCost: 'number',
  maxRuns: 'number',
  windowMs: 'number',
  key: 'string or function',
}

/** Checks the fields of a quota. @throws ParleyError `config-invalid` with the path of the field that is invalid. */
export function checkQuota(quota: Quota, path: string): void {
  checkOptions(path, quota, QUOTA)
  const { onFull: _onFull, key, ...counts } = quota
  const { maxCost, ...whole } = counts
  checkCount(whole, path)
  if (maxCost !== undefined) checkNumber({ path: `${path}.maxCost`, value: maxCost, min: 0 })
  if (typeof key === 'string' && key !== 'principal' && key !== 'session')
    refuseOption(`${path}.key`, `is '${String(key)}'; must be principal, session or a function`)
  if (TOTALS.some(field => quota[field] !== undefined)) return
  for (const field of ['windowMs', 'key'] as const)
    if (quota[field] !== undefined) refuseOption(`${path}.${field}`, `requires ${TOTALS.join(', ')} or several of them`)
}
