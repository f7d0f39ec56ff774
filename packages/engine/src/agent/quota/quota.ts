import { ParleyError, checkCount } from '@parley/core'

/** What all runs of a runtime or of an agent may use together. Unset fields are unlimited. */
export interface Quota {
  /** Runs at the same time. A suspended run does not count. A child run uses the place of its parent run. */
  readonly maxConcurrentRuns?: number | undefined
  /** What happens to a run above `maxConcurrentRuns`: it waits for a place, or is refused with `quota-exceeded`. @default 'wait' */
  readonly onFull?: 'wait' | 'refuse' | undefined
  /**
   * Tool calls at the same time; further calls wait in order. Each level of child runs is counted separately: a call that
   * waits for its child run would otherwise block the child run's own calls.
   */
  readonly maxConcurrentToolCalls?: number | undefined
  /**
   * Tokens of one model call, input and output together. The answer is limited to what the input leaves, if the previous
   * call's count tells the size of the input. A call that used more fails with `quota-exceeded`.
   */
  readonly maxTokensPerTurn?: number | undefined
  /** Tokens of all model calls since the runtime was created. The next call after that fails with `quota-exceeded`. */
  readonly maxTotalTokens?: number | undefined
}

const FIELDS = ['maxConcurrentRuns', 'maxConcurrentToolCalls', 'maxTokensPerTurn', 'maxTotalTokens'] as const

/** @throws ParleyError `config-invalid` with the path of the field that is invalid. */
export function checkQuota(quota: Quota, path: string): void {
  const { onFull = 'wait', ...counts } = quota
  if (onFull !== 'wait' && onFull !== 'refuse') {
    const detail = `is '${String(onFull)}'; must be wait or refuse`
    throw new ParleyError({ code: 'config-invalid', path: `${path}.onFull`, detail })
  }
  const unknown = Object.keys(counts).find(field => !FIELDS.some(known => known === field))
  if (unknown !== undefined) {
    throw new ParleyError({
      code: 'config-invalid',
      path: `${path}.${unknown}`,
      detail: `is unknown; known: onFull, ${FIELDS.join(', ')}`,
    })
  }
  checkCount(counts, path)
}
