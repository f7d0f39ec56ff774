/** The source of the items of a stoppable iterator. */
export interface StoppableSource<TItem> {
  /** Returns the next items, at least one, or `undefined` at the end. Not called again before it settles. */
  readonly pull: () => Promise<readonly TItem[] | undefined>
  /**
   * Releases the source. Called once: at the end, after an error of `pull`, or when the reader leaves. A pull that is pending
   * at that moment should settle soon after; its items are dropped.
   */
  readonly leave: () => void
}

/**
 * Creates an async iterator for one reader. `return()` takes effect at once, even while a `next()` is pending. An async
 * generator would queue the return behind the pending `next()`, which may never settle.
 */
export function stoppable<TItem>({ pull, leave }: StoppableSource<TItem>): AsyncIterableIterator<TItem, undefined> {
  return new StoppableIterator(pull, leave)
}

type Pulled<TItem> = IteratorResult<TItem, undefined>

const DONE: Pulled<never> = { value: undefined, done: true }

class StoppableIterator<TItem> implements AsyncIterableIterator<TItem, undefined> {
  readonly #pull: () => Promise<readonly TItem[] | undefined>
  readonly #leave: () => void
  #items: readonly TItem[] = []
  #at = 0
  #closed = false
  /** Settles when every pending `next()` has its result. */
  #turn: Promise<unknown> | undefined

  constructor(pull: () => Promise<readonly TItem[] | undefined>, leave: () => void) {
    this.#pull = pull
    this.#leave = leave
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Pulled<TItem>> {
    if (this.#turn === undefined && this.#at < this.#items.length && !this.#closed)
      return Promise.resolve(this.#shift())
    // One pull at a time, even if the reader calls `next()` several times without waiting.
    const result = this.#turn === undefined ? this.#take() : this.#turn.then(() => this.#take())
    const settled = result
      .then(
        () => {},
        () => this.#close(),
      )
      .then(() => {
        if (this.#turn === settled) this.#turn = undefined
      })
    this.#turn = settled
    return result
  }

  return(): Promise<Pulled<TItem>> {
    this.#close()
    return Promise.resolve(DONE)
  }

  async #take(): Promise<Pulled<TItem>> {
    while (!this.#closed) {
      if (this.#at < this.#items.length) return this.#shift()
      const items = await this.#pull()
      if (items === undefined) this.#close()
      else this.#items = items
      this.#at = 0
    }
    return DONE
  }

  #shift(): Pulled<TItem> {
    return { value: this.#items[this.#at++] as TItem, done: false }
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#leave()
  }
}
