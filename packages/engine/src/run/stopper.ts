/**
 * Stops a run's work, once. Listeners are kept in a plain array, because listening to an `AbortSignal` costs more
 * than a whole tool call; the signal itself is for tools and models.
 */
export class Stopper {
  readonly #controller = new AbortController()
  #listeners: ((reason: unknown) => void)[] = []

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get stopped(): boolean {
    return this.#controller.signal.aborted
  }

  stop(reason: unknown): void {
    if (this.stopped) return
    this.#controller.abort(reason)
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener(reason)
  }

  /** Calls `listener` when the work is stopped; at once when it already is. Returns the way to leave. */
  onStop(listener: (reason: unknown) => void): () => void {
    if (this.stopped) {
      listener(this.signal.reason)
      return () => {}
    }
    this.#listeners.push(listener)
    return () => {
      const index = this.#listeners.indexOf(listener)
      if (index >= 0) this.#listeners.splice(index, 1)
    }
  }
}
