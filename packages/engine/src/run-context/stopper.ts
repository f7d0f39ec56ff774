/** Is told why the work is stopped. */
export type StopListener = (reason: unknown) => void

/**
 * Stops a run's work, once. Listeners are kept in a plain array, because listening to an `AbortSignal` costs more
 * than a whole tool call; the signal itself is for tools and models.
 */
export class Stopper {
  readonly #controller = new AbortController()
  #listeners: StopListener[] = []
  /** Asked for each event of a model: the signal's own answer takes longer. */
  #stopped = false

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get stopped(): boolean {
    return this.#stopped
  }

  stop(reason: unknown): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#controller.abort(reason)
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener(reason)
  }

  /** Calls `listener` when the work is stopped; at once when it already is. */
  onStop(listener: StopListener): void {
    if (this.stopped) listener(this.signal.reason)
    // A first push would make room for seventeen, in every run.
    else if (this.#listeners.length === 0) this.#listeners = [listener]
    else this.#listeners.push(listener)
  }

  /** Calls it no more. */
  offStop(listener: StopListener): void {
    const index = this.#listeners.lastIndexOf(listener)
    if (index >= 0) this.#listeners.splice(index, 1)
  }
}
