/** A reader that waits for its turn. */
interface Waiting {
  readonly place: number
  readonly resume: () => void
}

// Not part of every runtime's types. Node.js fires a timer of 0 ms only after 1 ms.
const soon: (callback: () => void) => unknown =
  (globalThis as { setImmediate?: (callback: () => void) => unknown }).setImmediate ??
  (callback => setTimeout(callback, 0))

/**
 * Shares the event loop among readers of streams that never wait. In each turn of the loop one reader continues: the one
 * that began first. So the answer that is in memory for the longest time is finished first, and is not joined by parts of all
 * others.
 */
export class LoopTurns {
  #begun = 0
  readonly #waiting: Waiting[] = []
  #isScheduled = false

  /** Takes the place of a new reader. */
  begin(): number {
    return this.#begun++
  }

  /** Calls `resume` in a later turn of the event loop. */
  wait(place: number, resume: () => void): void {
    const index = this.#waiting.findIndex(other => other.place > place)
    this.#waiting.splice(index < 0 ? this.#waiting.length : index, 0, { place, resume })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return
    this.#isScheduled = true
    soon(() => {
      this.#isScheduled = false
      const first = this.#waiting.shift()
      this.#schedule()
      first?.resume()
    })
  }
}

/** A process has one event loop. */
export const loopTurns = new LoopTurns()
