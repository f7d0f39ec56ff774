/** Options of `createGroup`. */
export interface GroupOptions<TItem> {
  /** Returns the keys of an item. Items with a common key are never written together. */
  readonly keysOf: (item: TItem) => readonly string[]
  /** Returns the size of an item, in characters. */
  readonly sizeOf: (item: TItem) => number
  /** Writes items together. @returns Which of them were written. */
  readonly write: (items: readonly TItem[]) => Promise<ReadonlySet<TItem>>
  /** Largest number of writes at the same time. */
  readonly width: number
}

/** Largest number of items in one write. */
const MAX_ITEMS = 128
/** Size above which a write gets no further item, so that a large item does not delay many small ones. */
const MAX_SIZE = 500_000

interface Waiting<TItem> {
  readonly item: TItem
  readonly settled: PromiseWithResolvers<boolean>
}

/**
 * Creates a function that writes an item together with those that other runs write at the same time. The first item is written at the end
 * of the event loop's turn. While `width` writes are on their way, further items wait and share the next one.
 * @returns The function. It resolves to whether the item was written, and rejects with the error of the write.
 */
export function createGroup<TItem>({ keysOf, sizeOf, write, width }: GroupOptions<TItem>) {
  let waiting: Waiting<TItem>[] = []
  let writing = 0
  let isDue = false

  function start(): void {
    isDue = false
    while (writing < width && waiting.length > 0) {
      const [now, later] = split(waiting)
      waiting = later
      writing++
      void send(now)
    }
  }

  /** Takes the first items, until the write is full. An item whose key is taken stays, and so do later items with its keys. */
  function split(items: readonly Waiting<TItem>[]): readonly [Waiting<TItem>[], Waiting<TItem>[]] {
    const now: Waiting<TItem>[] = []
    const later: Waiting<TItem>[] = []
    const keys = new Set<string>()
    let size = 0
    for (const each of items) {
      const own = keysOf(each.item)
      const fits = now.length < MAX_ITEMS && size <= MAX_SIZE && !own.some(key => keys.has(key))
      ;(fits ? now : later).push(each)
      if (fits) size += sizeOf(each.item)
      for (const key of own) keys.add(key)
    }
    return [now, later]
  }

  async function send(items: readonly Waiting<TItem>[]): Promise<void> {
    try {
      const written = await write(items.map(({ item }) => item))
      for (const { item, settled } of items) settled.resolve(written.has(item))
    } catch (error) {
      for (const { settled } of items) settled.reject(error)
    } finally {
      writing--
      schedule()
    }
  }

  function schedule(): void {
    if (isDue || waiting.length === 0 || writing >= width) return
    isDue = true
    // A response continues several runs in one turn of the event loop. Their appends belong together.
    setImmediate(start)
  }

  return (item: TItem): Promise<boolean> => {
    const settled = Promise.withResolvers<boolean>()
    waiting.push({ item, settled })
    schedule()
    return settled.promise
  }
}
