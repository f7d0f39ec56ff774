/**
 * Stops a run's work, once. Listeners are kept in a plain set, because listening to an `AbortSignal` costs more
 * than a whole tool call; the signal itself is for tools and models.
 */
export class Stopper {
  readonly #controller = new AbortController()
  readonly #listeners = new Set<(reason: unknown) => void>()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get stopped(): boolean {
    return this.#controller.signal.aborted
  }

  stop(reason: unknown): void {
    if (this.stopped) return
    this.#controller.abort(reason)
    for (const listener of this.#listeners) listener(reason)
    this.#listeners.clear()
  }

  /** Calls `listener` when the work is stopped; at once when it already is. Returns the way to leave. */
  onStop(listener: (reason: unknown) => void): () => void {
    if (this.stopped) {
      listener(this.signal.reason)
      return () => {}
    }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
