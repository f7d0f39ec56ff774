import { Semaphore } from '@parley/core'
import type { Quota } from './quota.ts'

/** Counts what the runs of the owner of a quota use. The owner is the runtime or an agent. */
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

  /** The places for tool calls of runs at this depth: 0 for root runs, 2 more for each parent. */
  calls(depth: number): Semaphore | undefined {
    const { maxConcurrentToolCalls } = this.quota
    if (maxConcurrentToolCalls === undefined) return undefined
    return (this.#calls[depth] ??= new Semaphore(maxConcurrentToolCalls))
  }
}
