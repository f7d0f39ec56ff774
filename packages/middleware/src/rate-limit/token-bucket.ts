import type { Clock } from '@parley/core'

/**
 * A bucket that fills evenly to `capacity` within `intervalMs`. What is taken beyond its content is a debt, and whoever
 * took it waits until it is paid: so takers are served in the order they came.
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
    this.#at = clock.now()
  }

  /** Takes, and says in how many milliseconds that is covered. */
  take(amount: number): number {
    this.#fill()
    this.#level -= amount
    return this.#level >= 0 ? 0 : Math.ceil(-this.#level / this.#perMs)
  }

  /** Gives back; a negative amount is taken. */
  give(amount: number): void {
    this.#fill()
    this.#level = Math.min(this.#capacity, this.#level + amount)
  }

  get full(): boolean {
    this.#fill()
    return this.#level >= this.#capacity
  }

  #fill(): void {
    const now = this.#clock.now()
    // A clock that was set back gives nothing.
    const passed = Math.max(0, now - this.#at)
    this.#level = Math.min(this.#capacity, this.#level + passed * this.#perMs)
    this.#at = now
  }
}
