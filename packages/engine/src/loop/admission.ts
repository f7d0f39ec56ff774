import { ParleyError } from '@parley/core'
import type { RunContext } from '../run-context/run-context.ts'
import type { QuotaHolder } from '../agent/quota/quota-holder.ts'

/** Takes a place for a run in each quota of concurrent runs. */
export class Admission {
  readonly #holders: readonly QuotaHolder[]
  readonly #places: (() => void)[] = []
  /** Resolves when the run has its places under the quotas, or was stopped. `undefined` if it does not have to wait. */
  waiting: Promise<void> | undefined
  /** How many runs waited before this one when it joined. */
  ahead = 0

  constructor(holders: readonly QuotaHolder[]) {
    this.#holders = holders
  }

  /** Takes the run's places, or waits for them in order. */
  join(run: RunContext): void {
    for (const [index, { runs }] of this.#holders.entries()) {
      if (runs === undefined) continue
      const place = runs.tryAcquire()
      if (place === undefined) {
        this.ahead = runs.waiting
        this.waiting = this.#wait(run, this.#holders.slice(index))
        return
      }
      this.#places.push(place)
    }
  }

  /**
   * Calls `begin` once the run has its places under the quotas, or was stopped. If the run has to wait, emits
   * `run.queued` first.
   */
  open(run: RunContext, begin: () => void | Promise<void>): void | Promise<void> {
    if (this.waiting === undefined) return begin()
    run.emit({ type: 'run.queued', ahead: this.ahead })
    return this.waiting.then(begin)
  }

  /** Gives the places under the quotas back. */
  leave(): void {
    for (const place of this.#places.splice(0)) place()
  }

  async #wait(run: RunContext, holders: readonly QuotaHolder[]): Promise<void> {
    for (const { runs } of holders) {
      const place = await runs?.acquire(run.stopper)
      if (place !== undefined) this.#places.push(place)
    }
    this.waiting = undefined
  }
}

/** Refuses a run above a quota. @throws ParleyError `quota-exceeded` if a quota with `onFull: 'refuse'` is full. */
export function refuseWhenFull(holders: readonly QuotaHolder[]): void {
  for (const { quota, owner, runs } of holders) {
    if (runs?.full !== true || quota.onFull !== 'refuse') continue
    const { limit: max } = runs
    throw new ParleyError({ code: 'quota-exceeded', quota: 'maxConcurrentRuns', owner, max, value: max })
  }
}
