import { ParleyError, Semaphore, type Model, type QuotaKey, type QuotaTotal } from '@parley/core'
import type { Quota } from './quota.ts'

/** Totals of a quota, in the order in which they are checked. */
const TOTALS = [
  ['maxTotalTokens', 'tokens'],
  ['maxTotalCost', 'cost'],
] as const

/** A quota with its owner: the runtime or an agent. */
export class QuotaHolder {
  readonly quota: Quota
  /** `runtime`, or `agents.` and the agent's name. */
  readonly owner: string
  readonly runs: Semaphore | undefined
  /** Whether the quota limits a total, which is kept in the store. */
  readonly counts: boolean
  readonly #calls: Semaphore[] = []

  constructor(quota: Quota, owner: string) {
    const { maxConcurrentRuns, maxTotalTokens, maxTotalCost, maxTotalRuns } = quota
    this.quota = quota
    this.owner = owner
    this.runs = maxConcurrentRuns === undefined ? undefined : new Semaphore(maxConcurrentRuns)
    this.counts = (maxTotalTokens ?? maxTotalCost ?? maxTotalRuns) !== undefined
  }

  /** Returns the semaphore for tool calls of runs at this depth. `depth` is the length of `RunFacts.path`. */
  calls(depth: number): Semaphore | undefined {
    const { maxConcurrentToolCalls } = this.quota
    if (maxConcurrentToolCalls === undefined) return undefined
    return (this.#calls[depth] ??= new Semaphore(maxConcurrentToolCalls))
  }

  /** Identifies the total that something counts for at this time. */
  keyAt(at: number, scope: string): QuotaKey {
    const { windowMs } = this.quota
    if (windowMs === undefined) return { scope, owner: this.owner, since: 0, until: Number.MAX_SAFE_INTEGER }
    const since = Math.floor(at / windowMs) * windowMs
    return { scope, owner: this.owner, since, until: Math.min(since + windowMs, Number.MAX_SAFE_INTEGER) }
  }

  /**
   * Checks the totals before a model call.
   * @throws ParleyError `quota-exceeded` if the total allows no further model call.
   */
  checkTotal(total: QuotaTotal): void {
    for (const [quota, field] of TOTALS) {
      const max = this.quota[quota]
      const value = total[field]
      if (max !== undefined && value >= max)
        throw new ParleyError({ code: 'quota-exceeded', quota, owner: this.owner, max, value })
    }
  }

  /**
   * Checks that the totals of an agent's runs can be counted.
   * @param store Name of the runtime's store, if it has no quotas.
   * @throws ParleyError `config-invalid`.
   */
  checkCountable({ provider, id, info }: Model, store: string | undefined): void {
    if (!this.counts) return
    const path = this.owner === 'runtime' ? 'quota' : `${this.owner}.quota`
    if (store !== undefined) {
      const detail = `has totals, which the store '${store}' cannot keep: it has no quotas`
      throw new ParleyError({ code: 'config-invalid', path, detail })
    }
    if (this.quota.maxTotalCost === undefined || info.pricing !== undefined) return
    const detail = `cannot be enforced: the prices of ${provider}/${id} are unknown`
    throw new ParleyError({ code: 'config-invalid', path: `${path}.maxTotalCost`, detail })
  }
}
