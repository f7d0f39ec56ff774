import { monotonicNow, type Clock } from '@parley/core'

export type CircuitState = 'closed' | 'open' | 'half-open'

export interface CircuitOptions {
  readonly failures: number
  readonly openMs: number
  readonly clock: Clock
  readonly onChange: (state: CircuitState) => void
}

/** Allows calls until too many fail in a row. Then it allows none for a while, and then one trial call. */
export class Circuit {
  readonly #options: CircuitOptions
  #state: CircuitState = 'closed'
  #failures = 0
  #openedAt = 0
  #probing = false

  constructor(options: CircuitOptions) {
    this.#options = options
  }

  /**
   * Returns for how many milliseconds calls are still refused. 0 allows this call, which must then report its result with
   * `succeed`, `fail` or `leave`.
   */
  enter(): number {
    const { clock, openMs } = this.#options
    if (this.#state === 'open') {
      const left = this.#openedAt + openMs - monotonicNow(clock)
      if (left > 0) return left
      this.#become('half-open')
    }
    if (this.#state === 'half-open') {
      if (this.#probing) return openMs
      this.#probing = true
    }
    return 0
  }

  succeed(): void {
    this.#probing = false
    this.#failures = 0
    this.#become('closed')
  }

  fail(): void {
    this.#probing = false
    this.#failures += 1
    // A call that started before the circuit opened must not prolong the open state.
    if (this.#state === 'open') return
    if (this.#state === 'closed' && this.#failures < this.#options.failures) return
    this.#openedAt = monotonicNow(this.#options.clock)
    this.#become('open')
  }

  /** Reports that the result of the call does not show whether the model or tool works. */
  leave(): void {
    this.#probing = false
  }

  #become(state: CircuitState): void {
    if (this.#state === state) return
    this.#state = state
    this.#options.onChange(state)
  }
}
