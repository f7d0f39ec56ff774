/** A queue with a writer on one side and one `for await` reader on the other. */
export interface Channel<TItem> extends AsyncIterable<TItem> {
  /** Sends an item to the reader. Ignored after `end` and after the reader has left. */
  push(item: TItem): void
  /** Ends the channel. The reader receives the buffered items first. With an `error`, the reader then throws it. */
  end(error?: unknown): void
}

/** Options of `createChannel`. */
export interface ChannelOptions<TItem> {
  /** `merge` is tried when this many items or more are unread. @default 1024 */
  readonly highWater?: number | undefined
  /** Merges a new item into the last unread one, which limits the buffer of a slow reader. Returns `undefined` if the two cannot be merged. @default never merged */
  readonly merge?: ((last: TItem, next: TItem) => TItem | undefined) | undefined
  /** Called once if the reader leaves before the end. */
  readonly onLeave?: (() => void) | undefined
}

/**
 * Creates a channel for one reader. `return()` takes effect at once, even while a `next()` is pending. An async generator
 * would queue the return behind the pending `next()`.
 */
export function createChannel<TItem>(options: ChannelOptions<TItem> = {}): Channel<TItem> {
  return new ReaderChannel(options)
}

type Pulled<TItem> = IteratorResult<TItem, undefined>

const DONE: Pulled<never> = { value: undefined, done: true }

/** It is a class, because closures would add 640 bytes to each run that has a reader (bench: tricks channel-class). */
class ReaderChannel<TItem> implements Channel<TItem>, AsyncIterator<TItem, undefined> {
  readonly #options: ChannelOptions<TItem>
  #items: TItem[] = []
  /** Position of the next item. `shift` would move all later items (bench: tricks channel-head). */
  #head = 0
  #waiting: PromiseWithResolvers<Pulled<TItem>> | undefined
  /**
   * Pending `next()` calls after the first. Most readers have no more than one, and V8 reserves 17 slots for a list
   * (bench: tricks channel-pulls).
   */
  #morePulls: PromiseWithResolvers<Pulled<TItem>>[] | undefined
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
    else (this.#morePulls ??= []).push(puller)
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
    this.#waiting = this.#morePulls?.shift()
    return puller
  }

  #settleAll(): void {
    for (let puller = this.#takePuller(); puller !== undefined; puller = this.#takePuller()) puller.resolve(DONE)
  }
}
