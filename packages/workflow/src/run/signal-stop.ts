import type { SemaphoreStop } from '@parley/core'

/**
 * The listeners of a signal. A signal compares each new listener with all that it has, so it gets one listener for all of these
 * (bench: tricks waiting-steps). It has none while there are none: Node.js keeps a joined signal with a listener in memory.
 */
export class SignalStop implements SemaphoreStop {
  readonly signal: AbortSignal
  readonly #listeners = new Set<() => void>()
  readonly #onAbort = (): void => {
    for (const listener of this.#listeners) listener()
  }

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  get stopped(): boolean {
    return this.signal.aborted
  }

  onStop(listener: () => void): void {
    if (this.#listeners.size === 0) this.signal.addEventListener('abort', this.#onAbort)
    this.#listeners.add(listener)
  }

  offStop(listener: () => void): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.signal.removeEventListener('abort', this.#onAbort)
  }
}
