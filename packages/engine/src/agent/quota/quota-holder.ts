import { Semaphore } from './semaphore.ts'
import type { Quota } from './quota.ts'

/** Who keeps to one quota: the runtime, or an agent. Counts what its runs take. */
export class QuotaHolder {
  readonly quota: Quota
  /** `runtime`, or `agents.` and the agent's name. */
  readonly owner: string
  readonly runs: Semaphore | undefined
  readonly #calls: Semaphore[] = []
  /** Tokens of all model calls so far. */
  tokens = 0

  constructor(quota: Quota, owner: string) {
    this.quota = quota
    this.owner = owner
    this.runs = quota.maxConcurrentRuns === undefined ? undefined : new Semaphore(quota.maxConcurrentRuns)
  }

  /** The places for calls of runs at this depth of sub-runs. */
  calls(depth: number): Semaphore | undefined {
    const { maxConcurrentToolCalls } = this.quota
    if (maxConcurrentToolCalls === undefined) return undefined
    return (this.#calls[depth] ??= new Semaphore(maxConcurrentToolCalls))
  }
}
