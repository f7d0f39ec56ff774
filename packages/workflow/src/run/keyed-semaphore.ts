/** Lets at most so many in at once, for each key; the others wait in order. A key nobody is in takes no memory. */
export class KeyedSemaphore {
  readonly #byKey = new Map<string, { inside: number; readonly waiting: (() => void)[] }>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns The way out again; undefined when the signal came first. */
  async enter(key: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined
    const gate = this.#byKey.get(key) ?? { inside: 0, waiting: [] }
    this.#byKey.set(key, gate)
    if (gate.inside < this.#limit) {
      gate.inside++
      return () => this.#leave(key)
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const enter = (): void => resolve(true)
    const giveUp = (): void => {
      const index = gate.waiting.indexOf(enter)
      if (index >= 0) gate.waiting.splice(index, 1)
      resolve(false)
    }
    gate.waiting.push(enter)
    signal.addEventListener('abort', giveUp, { once: true })
    const entered = await promise
    signal.removeEventListener('abort', giveUp)
    return entered ? () => this.#leave(key) : undefined
  }

  #leave(key: string): void {
    const gate = this.#byKey.get(key)
    if (gate === undefined) return
    const next = gate.waiting.shift()
    // The place passes on without ever being free.
    if (next !== undefined) next()
    else if (--gate.inside === 0) this.#byKey.delete(key)
  }
}
