/** Push on one side, `for await` on the other. */
export interface Channel<TItem> extends AsyncIterable<TItem> {
  /** Hands an item to the reader. Ignored after the end. */
  push(item: TItem): void
  /** No more items. The reader gets what is buffered first; with an `error`, it then throws it. */
  end(error?: unknown): void
}

export interface ChannelOptions<TItem> {
  /** Unread items above which `merge` is tried. @default 1024 */
  readonly highWater?: number | undefined
  /** Joins a new item into the last unread one, where that loses nothing; bounds a slow reader's buffer. */
  readonly merge?: ((last: TItem, next: TItem) => TItem | undefined) | undefined
  /** Called once when the reader leaves before the end. */
  readonly onLeave?: (() => void) | undefined
}

/**
 * A channel for one reader. `return()` takes effect at once, even while a pull is pending: the return of an
 * async generator would queue behind it.
 */
export function createChannel<TItem>(options: ChannelOptions<TItem> = {}): Channel<TItem> {
  return new ReaderChannel(options)
}

type Pulled<TItem> = IteratorResult<TItem, undefined>

const DONE: Pulled<never> = { value: undefined, done: true }

/** A class, because every run that is watched has one, and closures would be a third of what it weighs. */
class ReaderChannel<TItem> implements Channel<TItem>, AsyncIterator<TItem, undefined> {
  readonly #options: ChannelOptions<TItem>
  #items: TItem[] = []
  #head = 0
  #waiting: PromiseWithResolvers<Pulled<TItem>> | undefined
  /** Pulls beyond the first one. */
  #others: PromiseWithResolvers<Pulled<TItem>>[] | undefined
  #ended = false
  #failure: { readonly error: unknown } | undefined

  constructor(options: ChannelOptions<TItem>) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Pulled<TItem>> {
    if (this.#head < this.#items.length) {
      const value = this.#items[this.#head++] as TItem
      if (this.#head === this.#items.length) this.#clear()
      return Promise.resolve({ value, done: false })
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure
      this.#failure = undefined
      return Promise.reject(error)
    }
    if (this.#ended) return Promise.resolve(DONE)
    const puller = Promise.withResolvers<Pulled<TItem>>()
    if (this.#waiting === undefined) this.#waiting = puller
    else (this.#others ??= []).push(puller)
    return puller.promise
  }

  return(): Promise<Pulled<TItem>> {
    const early = !this.#ended
    this.#ended = true
    this.#failure = undefined
    this.#clear()
    this.#settleAll()
    if (early) this.#options.onLeave?.()
    return Promise.resolve(DONE)
  }

  push(item: TItem): void {
    if (this.#ended) return
    const puller = this.#takePuller()
    if (puller !== undefined) {
      puller.resolve({ value: item, done: false })
      return
    }
    const { highWater = 1024, merge } = this.#options
    const items = this.#items
    const last = items.length - 1
    const crowded = last >= this.#head && items.length - this.#head >= highWater
    const merged = merge !== undefined && crowded ? merge(items[last] as TItem, item) : undefined
    if (merged === undefined) items.push(item)
    else items[last] = merged
  }

  end(error?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    if (error !== undefined) {
      const first = this.#takePuller()
      if (first === undefined) this.#failure = { error }
      else first.reject(error)
    }
    this.#settleAll()
  }

  #clear(): void {
    this.#items = []
    this.#head = 0
  }

  #takePuller(): PromiseWithResolvers<Pulled<TItem>> | undefined {
    const puller = this.#waiting
    this.#waiting = this.#others?.shift()
    return puller
  }

  #settleAll(): void {
    for (let puller = this.#takePuller(); puller !== undefined; puller = this.#takePuller()) puller.resolve(DONE)
  }
}
