import { monotonicNow, type Clock } from '@parley/core'

/**
 * A bucket that fills evenly to `capacity` within `intervalMs`. Taking more than it holds makes its level negative, and the
 * taker waits until the level is 0 again. So takers are served in the order in which they came.
 */
export class TokenBucket {
  readonly #clock: Clock
  readonly #capacity: number
  readonly #perMs: number
  #level: number
  #at: number

  constructor(clock: Clock, capacity: number, intervalMs: number) {
    this.#clock = clock
    this.#capacity = capacity
    this.#perMs = capacity / intervalMs
    this.#level = capacity
    this.#at = monotonicNow(clock)
  }

  /** Takes an amount and returns the milliseconds until it is covered. */
  take(amount: number): number {
    this.#fill()
    this.#level -= amount
    return this.#level >= 0 ? 0 : Math.ceil(-this.#level / this.#perMs)
  }

  /** Returns an amount to the bucket. A negative amount takes more out of it. */
  give(amount: number): void {
    this.#fill()
    this.#level = Math.min(this.#capacity, this.#level + amount)
  }

  /** Whether the bucket is full. */
  get full(): boolean {
    this.#fill()
    return this.#level >= this.#capacity
  }

  #fill(): void {
    const now = monotonicNow(this.#clock)
    // If the clock was set back, nothing flows in.
    const passed = Math.max(0, now - this.#at)
    this.#level = Math.min(this.#capacity, this.#level + passed * this.#perMs)
    this.#at = now
  }
}
