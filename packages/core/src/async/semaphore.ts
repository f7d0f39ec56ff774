/** Ends a wait for a place before a place is free. */
export interface SemaphoreStop {
  readonly stopped: boolean
  onStop(listener: () => void): void
  offStop(listener: () => void): void
}

/** Admits at most `limit` holders at the same time. Further holders wait in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  readonly limit: number
  #free: number

  constructor(limit: number) {
    this.limit = limit
    this.#free = limit
  }

  /** Whether a new holder would have to wait. */
  get full(): boolean {
    return this.#free === 0
  }

  /** Number of holders that wait for a place. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Takes a place if one is free.
   * @returns A function that releases the place; `undefined` if a new holder would have to wait.
   */
  tryAcquire(): (() => void) | undefined {
    if (this.#free === 0) return undefined
    this.#free--
    return this.#place()
  }

  /** Waits for a place, in the order of the calls. Resolves to `undefined` if the wait is stopped first. */
  async acquire(stopper: SemaphoreStop): Promise<(() => void) | undefined> {
    if (stopper.stopped) return undefined
    const place = this.tryAcquire()
    if (place !== undefined) return place
    return new Promise(resolve => {
      const enter = (): void => {
        stopper.offStop(onStop)
        resolve(this.#place())
      }
      const onStop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        resolve(undefined)
      }
      stopper.onStop(onStop)
      this.#waiting.push(enter)
    })
  }

  #place(): () => void {
    let held = true
    return () => {
      if (!held) return
      held = false
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
