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
type Resolve<TItem> = (pulled: Pulled<TItem> | PromiseLike<never>) => void

/** An unread item, with the one that follows it. */
interface Item<TItem> {
  value: TItem
  next: Item<TItem> | undefined
}

const DONE: Pulled<never> = { value: undefined, done: true }

/** It is a class, because closures would add 640 bytes to each run that has a reader (bench: tricks channel-class). */
class ReaderChannel<TItem> implements Channel<TItem>, AsyncIterator<TItem, undefined> {
  readonly #options: ChannelOptions<TItem>
  #first: Item<TItem> | undefined
  #last: Item<TItem> | undefined
  #unread = 0
  /** Resolves the pending `next()`. */
  #waiting: Resolve<TItem> | undefined
  /**
   * Pending `next()` calls after the first. Most readers have no more than one, and V8 reserves 17 slots for a list
   * (bench: tricks channel-pulls).
   */
  #morePulls: Resolve<TItem>[] | undefined
  #ended = false
  #failure: { readonly error: unknown } | undefined

  constructor(options: ChannelOptions<TItem>) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Pulled<TItem>> {
    const first = this.#first
    if (first !== undefined) {
      this.#first = first.next
      if (first === this.#last) this.#last = undefined
      this.#unread--
      return Promise.resolve({ value: first.value, done: false })
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure
      this.#failure = undefined
      return Promise.reject(error)
    }
    if (this.#ended) return Promise.resolve(DONE)
    return new Promise(resolve => {
      if (this.#waiting === undefined) this.#waiting = resolve
      else (this.#morePulls ??= []).push(resolve)
    })
  }

  return(): Promise<Pulled<TItem>> {
    const early = !this.#ended
    this.#ended = true
    this.#failure = undefined
    this.#first = undefined
    this.#last = undefined
    this.#settleAll()
    if (early) this.#options.onLeave?.()
    return Promise.resolve(DONE)
  }

  push(item: TItem): void {
    if (this.#ended) return
    const puller = this.#takePuller()
    if (puller !== undefined) {
      puller({ value: item, done: false })
      return
    }
    const { highWater = 1024, merge } = this.#options
    const last = this.#last
    const merged =
      merge !== undefined && last !== undefined && this.#unread >= highWater ? merge(last.value, item) : undefined
    if (merged === undefined) this.#append(item, last)
    else if (last !== undefined) last.value = merged
  }

  #append(value: TItem, last: Item<TItem> | undefined): void {
    const added: Item<TItem> = { value, next: undefined }
    if (last === undefined) this.#first = added
    else last.next = added
    this.#last = added
    this.#unread++
  }

  end(error?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    if (error !== undefined) {
      const first = this.#takePuller()
      if (first === undefined) this.#failure = { error }
      else first(Promise.reject(error))
    }
    this.#settleAll()
  }

  #takePuller(): Resolve<TItem> | undefined {
    const puller = this.#waiting
    this.#waiting = this.#morePulls?.shift()
    return puller
  }

  #settleAll(): void {
    for (let puller = this.#takePuller(); puller !== undefined; puller = this.#takePuller()) puller(DONE)
  }
}
