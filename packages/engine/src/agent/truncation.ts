import { ParleyError } from '@parley/core'

/**
 * What happens to an answer that its length cut off and that calls no tools: `return` ends with it (`finish` is `length`),
 * `continue` asks the model to go on where it stopped, `retry` throws it away and asks again, `auto` continues for an agent
 * without tools and returns for one that has some.
 */
export type TruncationPolicy =
  | 'return'
  | 'continue'
  | 'retry'
  | 'auto'
  /** How often at most; what there is then is the answer. @default 3 */
  | { readonly policy: 'continue' | 'retry' | 'auto'; readonly attempts: number }

/** A policy with its defaults. */
export interface Truncation {
  readonly policy: 'return' | 'continue' | 'retry'
  readonly attempts: number
}

/** @throws ParleyError `config-invalid` for a policy that is none. */
export function prepareTruncation(truncation: TruncationPolicy, path: string, hasTools = false): Truncation {
  const { policy, attempts } = typeof truncation === 'object' ? truncation : { policy: truncation, attempts: 3 }
  if (!['return', 'continue', 'retry', 'auto'].includes(policy))
    refuse(path, `is '${policy}', it must be return, continue, retry or auto`)
  if (!(Number.isInteger(attempts) && attempts > 0))
    refuse(`${path}.attempts`, `is ${attempts}, it must be a whole number above 0`)
  if (policy !== 'auto') return { policy, attempts }
  return { policy: hasTools ? 'return' : 'continue', attempts }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
