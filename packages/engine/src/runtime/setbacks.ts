import { monotonicNow, type Clock } from '@parley/core'

/** Longest pause, in sweeps. */
const MOST_SWEEPS = 15

/** The runs whose resume failed or was interrupted, and how long sweeps skip each of them. */
export class Setbacks {
  readonly #runs = new Map<string, { readonly count: number; readonly until: number }>()
  readonly #clock: Clock
  readonly #everyMs: number

  /** @param everyMs Time between two sweeps. */
  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock
    this.#everyMs = everyMs
  }

  /** Adds a setback. The first pause is one sweep, and each further one twice as long. @returns How many the run had. */
  add(runId: string): number {
    const count = (this.#runs.get(runId)?.count ?? 0) + 1
    const pause = this.#everyMs * (Math.min(2 ** (count - 1), MOST_SWEEPS) - 1)
    this.#runs.set(runId, { count, until: monotonicNow(this.#clock) + pause })
    return count
  }

  isResting(runId: string): boolean {
    return monotonicNow(this.#clock) < (this.#runs.get(runId)?.until ?? -Infinity)
  }

  clear(runId: string): void {
    this.#runs.delete(runId)
  }
}
