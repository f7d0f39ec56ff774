import { ParleyError, Semaphore, type Model, type QuotaKey, type QuotaTotal, type RunFacts } from '@parley/core'
import type { Quota } from './quota.ts'

/** Totals of a quota, in the order in which they are checked. */
const TOTALS = [
  ['maxTokens', 'tokens'],
  ['maxCost', 'cost'],
] as const

const MAX_KEY_CHARS = 256

const KEYS = {
  principal: ({ principal }: RunFacts) => principal?.id ?? '',
  session: ({ sessionId }: RunFacts) => sessionId,
}

/** A quota with its owner: the runtime or an agent. */
export class QuotaHolder {
  readonly quota: Quota
  /** `runtime`, or `agents.` and the agent's name. */
  readonly owner: string
  readonly runs: Semaphore | undefined
  /** Whether the quota limits a total, which is kept in the store. */
  readonly counts: boolean
  readonly #calls: Semaphore[] = []
  /** The owner of each run's totals. A handoff changes the facts of a run, and must not change its key. */
  readonly #owners = new WeakMap<RunFacts, string>()

  constructor(quota: Quota, owner: string) {
    const { maxConcurrentRuns, maxTokens, maxCost, maxRuns } = quota
    this.quota = quota
    this.owner = owner
    this.runs = maxConcurrentRuns === undefined ? undefined : new Semaphore(maxConcurrentRuns)
    this.counts = (maxTokens ?? maxCost ?? maxRuns) !== undefined
  }

  /** Returns the semaphore for tool calls of runs at this depth. `depth` is the length of `RunFacts.path`. */
  calls(depth: number): Semaphore | undefined {
    const { maxConcurrentToolCalls } = this.quota
    if (maxConcurrentToolCalls === undefined) return undefined
    return (this.#calls[depth] ??= new Semaphore(maxConcurrentToolCalls))
  }

  /**
   * Identifies the total that the run counts for at this time.
   * @throws ParleyError `config-invalid` if `key` returns no text.
   */
  keyAt(at: number, run: RunFacts): QuotaKey {
    const { windowMs } = this.quota
    const { scope } = run
    const owner = this.ownerFor(run)
    if (windowMs === undefined) return { scope, owner, since: 0, until: Number.MAX_SAFE_INTEGER }
    const since = Math.floor(at / windowMs) * windowMs
    return { scope, owner, since, until: Math.min(since + windowMs, Number.MAX_SAFE_INTEGER) }
  }

  /**
   * Returns the owner of the totals that the run counts for: with the key of the run, if the quota has keys.
   * @throws ParleyError `config-invalid` if `key` returns no text.
   */
  ownerFor(run: RunFacts): string {
    const { key: by } = this.quota
    if (by === undefined) return this.owner
    const known = this.#owners.get(run)
    if (known !== undefined) return known
    const key: unknown = typeof by === 'function' ? by(run) : KEYS[by](run)
    if (typeof key !== 'string' || key.length > MAX_KEY_CHARS) {
      const given = typeof key === 'string' ? `${key.length} characters` : typeof key
      const detail = `returned ${given}; must return a text of at most ${MAX_KEY_CHARS} characters`
      throw new ParleyError({ code: 'config-invalid', path: `${this.#path}.key`, detail })
    }
    const owner = `${this.owner}[${JSON.stringify(key)}]`
    this.#owners.set(run, owner)
    return owner
  }

  get #path(): string {
    return this.owner === 'runtime' ? 'quota' : `${this.owner}.quota`
  }

  /**
   * Checks the totals before a model call.
   * @throws ParleyError `quota-exceeded` if the total allows no further model call.
   */
  checkTotal(total: QuotaTotal, run: RunFacts): void {
    for (const [quota, field] of TOTALS) {
      const max = this.quota[quota]
      const value = total[field]
      if (max !== undefined && value >= max)
        throw new ParleyError({ code: 'quota-exceeded', quota, owner: this.ownerFor(run), max, value })
    }
  }

  /**
   * Checks that the totals of an agent's runs can be counted.
   * @param store Name of the runtime's store, if it has no quotas.
   * @throws ParleyError `config-invalid`.
   */
  checkCountable({ provider, id, info }: Model, store: string | undefined): void {
    if (!this.counts) return
    const path = this.#path
    if (store !== undefined) {
      const detail = `has totals, which the store '${store}' cannot keep: it has no quotas`
      throw new ParleyError({ code: 'config-invalid', path, detail })
    }
    if (this.quota.maxCost === undefined || info.pricing !== undefined) return
    const detail = `cannot be enforced: the prices of ${provider}/${id} are unknown`
    throw new ParleyError({ code: 'config-invalid', path: `${path}.maxCost`, detail })
  }
}
