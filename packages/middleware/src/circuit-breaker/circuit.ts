import type { Clock } from '@parley/core'

export type CircuitState = 'closed' | 'open' | 'half-open'

export interface CircuitOptions {
  readonly failures: number
  readonly openMs: number
  readonly clock: Clock
  readonly onChange: (state: CircuitState) => void
}

/** Lets calls through until too many fail in a row; then none for a while, then one to see. */
export class Circuit {
  readonly #options: CircuitOptions
  #state: CircuitState = 'closed'
  #failures = 0
  #openedAt = 0
  #probing = false

  constructor(options: CircuitOptions) {
    this.#options = options
  }

  /** How long no call may be made; 0 lets this one through, and it must report what came of it. */
  enter(): number {
    const { clock, openMs } = this.#options
    if (this.#state === 'open') {
      const left = this.#openedAt + openMs - clock.now()
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
    // What was begun before it opened must not keep it open.
    if (this.#state === 'open') return
    if (this.#state === 'closed' && this.#failures < this.#options.failures) return
    this.#openedAt = this.#options.clock.now()
    this.#become('open')
  }

  /** What came of the call says nothing. */
  leave(): void {
    this.#probing = false
  }

  #become(state: CircuitState): void {
    if (this.#state === state) return
    this.#state = state
    this.#options.onChange(state)
  }
}
