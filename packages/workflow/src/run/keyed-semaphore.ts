/** Frees a place. */
export type Leave = () => void

interface Places {
  inside: number
  readonly waiting: (() => void)[]
}

/** A counting semaphore for each key. Waiters enter in order. An unused key takes no memory. */
export class KeyedSemaphore {
  readonly #byKey = new Map<string, Places>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Takes a place, or waits for one. @returns A function that frees the place; `undefined` if the signal was aborted first. */
  enter(key: string, signal: AbortSignal): Leave | undefined | Promise<Leave | undefined> {
    if (signal.aborted) return undefined
    const places = this.#byKey.get(key) ?? { inside: 0, waiting: [] }
    this.#byKey.set(key, places)
    if (places.inside >= this.#limit) return this.#wait(key, places, signal)
    places.inside++
    return () => this.#leave(key)
  }

  #wait(key: string, { waiting }: Places, signal: AbortSignal): Promise<Leave | undefined> {
    return new Promise(resolve => {
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve(() => this.#leave(key))
      }
      const giveUp = (): void => {
        const index = waiting.indexOf(enter)
        if (index >= 0) waiting.splice(index, 1)
        resolve(undefined)
      }
      waiting.push(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  #leave(key: string): void {
    const places = this.#byKey.get(key)
    if (places === undefined) return
    const next = places.waiting.shift()
    // The next waiter takes the place directly, so no newcomer can overtake it.
    if (next !== undefined) next()
    else if (--places.inside === 0) this.#byKey.delete(key)
  }
}
