import { refuseOption } from '@parley/core'

/**
 * What happens to an answer without tool calls that the provider truncated because of its length. `return` ends the run
 * with it (`finish` is `length`). `continue` asks the model to continue it. `retry` discards it and asks again. `auto`
 * continues it for an agent without tools, and returns it for an agent with tools.
 */
export type TruncationPolicy =
  | 'return'
  | 'continue'
  | 'retry'
  | 'auto'
  /** Largest number of attempts. After them, the truncated answer counts as the answer. @default 3 */
  | { readonly policy: 'continue' | 'retry' | 'auto'; readonly attempts: number }

/** A truncation policy with its defaults. */
export interface Truncation {
  readonly policy: 'return' | 'continue' | 'retry'
  readonly attempts: number
}

/**
 * Checks an agent's `onTruncated` and adds its defaults.
 * @throws ParleyError `config-invalid` if the policy is unknown or `attempts` is not a positive integer.
 */
export function prepareTruncation(given: TruncationPolicy = 'return', path: string, hasTools = false): Truncation {
  const { policy, attempts } = typeof given === 'object' ? given : { policy: given, attempts: 3 }
  if (!['return', 'continue', 'retry', 'auto'].includes(policy))
    refuseOption(path, `is '${policy}'; must be return, continue, retry or auto`)
  if (!(Number.isInteger(attempts) && attempts > 0))
    refuseOption(`${path}.attempts`, `is ${attempts}; must be a positive integer`)
  if (policy !== 'auto') return { policy, attempts }
  return { policy: hasTools ? 'return' : 'continue', attempts }
}
