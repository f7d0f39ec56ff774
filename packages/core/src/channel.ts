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
export function createChannel<TItem>({ highWater = 1024, merge, onLeave }: ChannelOptions<TItem> = {}): Channel<TItem> {
  let items: TItem[] = []
  let head = 0
  let waiting: PromiseWithResolvers<IteratorResult<TItem, undefined>> | undefined
  let ended = false
  let failure: { readonly error: unknown } | undefined

  const done: IteratorResult<TItem, undefined> = { value: undefined, done: true }

  function next(): Promise<IteratorResult<TItem, undefined>> {
    if (head < items.length) {
      const value = items[head++] as TItem
      if (head === items.length) {
        items = []
        head = 0
      }
      return Promise.resolve({ value, done: false })
    }
    if (failure !== undefined) {
      const { error } = failure
      failure = undefined
      return Promise.reject(error)
    }
    if (ended) return Promise.resolve(done)
    waiting ??= Promise.withResolvers<IteratorResult<TItem, undefined>>()
    return waiting.promise
  }

  function settle(result: IteratorResult<TItem, undefined>): boolean {
    if (waiting === undefined) return false
    const { resolve } = waiting
    waiting = undefined
    resolve(result)
    return true
  }

  return {
    push(item) {
      if (ended || settle({ value: item, done: false })) return
      const last = items.length - 1
      const merged =
        merge !== undefined && items.length - head >= highWater ? merge(items[last] as TItem, item) : undefined
      if (merged === undefined) items.push(item)
      else items[last] = merged
    },
    end(error) {
      if (ended) return
      ended = true
      if (error !== undefined) failure = { error }
      if (waiting === undefined) return
      if (failure === undefined) settle(done)
      else {
        const { reject } = waiting
        waiting = undefined
        failure = undefined
        reject(error)
      }
    },
    [Symbol.asyncIterator]() {
      return {
        next,
        return() {
          const early = !ended
          ended = true
          failure = undefined
          items = []
          head = 0
          settle(done)
          if (early) onLeave?.()
          return Promise.resolve(done)
        },
      }
    },
  }
}
