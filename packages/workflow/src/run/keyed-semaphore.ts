/** A counting semaphore for each key. Waiters enter in order. An unused key takes no memory. */
export class KeyedSemaphore {
  readonly #byKey = new Map<string, { inside: number; readonly waiting: (() => void)[] }>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Waits for a place. @returns A function that frees the place; `undefined` if the signal was aborted first. */
  async enter(key: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined
    const entry = this.#byKey.get(key) ?? { inside: 0, waiting: [] }
    this.#byKey.set(key, entry)
    if (entry.inside < this.#limit) {
      entry.inside++
      return () => this.#leave(key)
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const enter = (): void => resolve(true)
    const giveUp = (): void => {
      const index = entry.waiting.indexOf(enter)
      if (index >= 0) entry.waiting.splice(index, 1)
      resolve(false)
    }
    entry.waiting.push(enter)
    signal.addEventListener('abort', giveUp, { once: true })
    const entered = await promise
    signal.removeEventListener('abort', giveUp)
    return entered ? () => this.#leave(key) : undefined
  }

  #leave(key: string): void {
    const entry = this.#byKey.get(key)
    if (entry === undefined) return
    const next = entry.waiting.shift()
    // The next waiter takes the place directly, so no newcomer can overtake it.
    if (next !== undefined) next()
    else if (--entry.inside === 0) this.#byKey.delete(key)
  }
}
