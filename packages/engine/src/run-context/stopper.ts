/** Receives the reason of the stop. */
export type StopListener = (reason: unknown) => void

/**
 * Stops the work of a run, once. Tools and models use `signal`. The engine's steps use `onStop`, because a listener on an
 * `AbortSignal` is slow to add and to remove (bench: tricks stop-listeners).
 */
export class Stopper {
  readonly #controller = new AbortController()
  readonly signal: AbortSignal = this.#controller.signal
  #listeners: StopListener[] = []
  #stopped = false

  /** The same as `signal.aborted`, which is slower to read. */
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
    // V8 reserves 17 slots at the first push, in every waiting run (bench: tricks listener-list).
    else if (this.#listeners.length === 0) this.#listeners = [listener]
    else this.#listeners.push(listener)
  }

  /** Removes the listener. */
  offStop(listener: StopListener): void {
    const index = this.#listeners.lastIndexOf(listener)
    if (index >= 0) this.#listeners.splice(index, 1)
  }
}
