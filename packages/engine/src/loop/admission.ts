import { ParleyError } from '@parley/core'
import type { RunContext } from '../run-context/run-context.ts'
import type { QuotaHolder } from '../agent/quota/quota-holder.ts'

/** A run's way to its places under every quota of concurrent runs that concerns it. */
export class Admission {
  readonly #holders: readonly QuotaHolder[]
  readonly #places: (() => void)[] = []
  /** Settles once the run may begin: it has its places, or was stopped meanwhile. Undefined when it may at once. */
  waiting: Promise<void> | undefined
  /** How many runs waited before this one when it came. */
  ahead = 0

  constructor(holders: readonly QuotaHolder[]) {
    this.#holders = holders
  }

  /** Takes the run's places, or a position in each line from now on. */
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

  /** Opens the run once it has its places or was stopped; watchers are told that it waits. */
  open(run: RunContext, begin: () => void | Promise<void>): void | Promise<void> {
    if (this.waiting === undefined) return begin()
    run.emit({ type: 'run.queued', ahead: this.ahead })
    return this.waiting.then(begin)
  }

  /** Gives the places back. */
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

/** @throws ParleyError `quota-exceeded` for the first full quota that is set to refuse. */
export function refuseWhenFull(holders: readonly QuotaHolder[]): void {
  for (const { quota, owner, runs } of holders) {
    if (runs?.full !== true || quota.onFull !== 'refuse') continue
    const { limit: max } = runs
    throw new ParleyError({ code: 'quota-exceeded', quota: 'maxConcurrentRuns', owner, max, value: max })
  }
}
