/** What ends the wait for a place early. */
interface Stop {
  readonly stopped: boolean
  onStop(listener: () => void): void
  offStop(listener: () => void): void
}

/** Lets at most `limit` holders in at once; the others wait in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  readonly limit: number
  #free: number

  constructor(limit: number) {
    this.limit = limit
    this.#free = limit
  }

  /** Whether a newcomer would have to wait. */
  get full(): boolean {
    return this.#free === 0
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** @returns The way to give the place back, which works once; undefined when a newcomer has to wait. */
  tryAcquire(): (() => void) | undefined {
    if (this.#free === 0) return undefined
    this.#free--
    return this.#place()
  }

  /** Waits for a place, in line from this very moment. Undefined when the stopper stopped first. */
  async acquire(stopper: Stop): Promise<(() => void) | undefined> {
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
