import { ParleyError, checkCount } from '@parley/core'

/** What all runs of a runtime, or of one agent, may take together. Everything is unlimited unless it is set. */
export interface Quota {
  /** Runs at once; a run that waits for a person counts only while it is driven. Sub-runs live on their parent's place. */
  readonly maxConcurrentRuns?: number | undefined
  /** A run above `maxConcurrentRuns` waits for its turn, or is refused with `quota-exceeded`. @default 'wait' */
  readonly onFull?: 'wait' | 'refuse' | undefined
  /**
   * Handlers at once; calls above it wait in order. Counted apart for each level of sub-runs, because a call that waits
   * for its sub-run must not keep the sub-run's own calls waiting.
   */
  readonly maxConcurrentToolCalls?: number | undefined
  /**
   * Tokens of one model call, input and output together. The answer is cut to what is left after the input, as far as
   * that is known from the call before; a call that took more all the same fails with `quota-exceeded`.
   */
  readonly maxTokensPerTurn?: number | undefined
  /** Tokens of all model calls since the runtime was created; the call after the last of them fails with `quota-exceeded`. */
  readonly maxTotalTokens?: number | undefined
}

const FIELDS = ['maxConcurrentRuns', 'maxConcurrentToolCalls', 'maxTokensPerTurn', 'maxTotalTokens'] as const

/** @throws ParleyError `config-invalid` naming the field that makes no sense. */
export function checkQuota(quota: Quota, path: string): void {
  const { onFull = 'wait', ...counts } = quota
  if (onFull !== 'wait' && onFull !== 'refuse') {
    const detail = `is '${String(onFull)}', it must be wait or refuse`
    throw new ParleyError({ code: 'config-invalid', path: `${path}.onFull`, detail })
  }
  const unknown = Object.keys(counts).find(field => !FIELDS.some(known => known === field))
  if (unknown !== undefined) {
    throw new ParleyError({ code: 'config-invalid', path: `${path}.${unknown}`, detail: 'is no quota' })
  }
  checkCount(counts, path)
}
