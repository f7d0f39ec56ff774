/** Receives the reason of the stop. */
export type StopListener = (reason: unknown) => void

/**
 * Stops the work of a run, once. Its own steps use `onStop`: a listener on an `AbortSignal` costs more than a whole tool
 * call. Tools and models use `signal`.
 */
export class Stopper {
  readonly #controller = new AbortController()
  #listeners: StopListener[] = []
  /** Read for each event of a model, which `signal.aborted` would slow down. */
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

  /** Calls `listener` when the work is stopped, or at once if it already is. */
  onStop(listener: StopListener): void {
    if (this.stopped) listener(this.signal.reason)
    // A first push would make room for seventeen, in every run.
    else if (this.#listeners.length === 0) this.#listeners = [listener]
    else this.#listeners.push(listener)
  }

  /** Removes the listener. */
  offStop(listener: StopListener): void {
    const index = this.#listeners.lastIndexOf(listener)
    if (index >= 0) this.#listeners.splice(index, 1)
  }
}
