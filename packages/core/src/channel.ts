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
  const waiting: PromiseWithResolvers<IteratorResult<TItem, undefined>>[] = []
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
    const puller = Promise.withResolvers<IteratorResult<TItem, undefined>>()
    waiting.push(puller)
    return puller.promise
  }

  return {
    push(item) {
      if (ended) return
      const puller = waiting.shift()
      if (puller !== undefined) {
        puller.resolve({ value: item, done: false })
        return
      }
      const last = items.length - 1
      const crowded = last >= head && items.length - head >= highWater
      const merged = merge !== undefined && crowded ? merge(items[last] as TItem, item) : undefined
      if (merged === undefined) items.push(item)
      else items[last] = merged
    },
    end(error) {
      if (ended) return
      ended = true
      const [first, ...others] = waiting.splice(0)
      if (error === undefined) first?.resolve(done)
      else if (first === undefined) failure = { error }
      else first.reject(error)
      for (const puller of others) puller.resolve(done)
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
          for (const puller of waiting.splice(0)) puller.resolve(done)
          if (early) onLeave?.()
          return Promise.resolve(done)
        },
      }
    },
  }
}
