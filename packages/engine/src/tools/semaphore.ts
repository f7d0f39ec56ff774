/** Lets at most `limit` holders in at once; the others wait in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(limit: number) {
    this.#free = limit
  }

  /** @returns The way to give the place back; calling it again has no effect. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
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
