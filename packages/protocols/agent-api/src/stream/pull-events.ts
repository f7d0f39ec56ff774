/**
 * An iterator that is given several items at a time. Leaving it takes effect at once, even while an item is awaited: the
 * `return()` of an async generator would queue behind that.
 * @param pull The next items; undefined at the end.
 * @param leave Called once, at the end or when the reader leaves.
 */
export function pullEvents<TItem>(
  pull: () => Promise<readonly TItem[] | undefined>,
  leave: () => void,
): AsyncIterableIterator<TItem, undefined> {
  let items: readonly TItem[] = []
  let at = 0
  let left = false
  /** Settles when nobody is waiting any more. */
  let turn: Promise<unknown> | undefined
  const done: IteratorResult<TItem, undefined> = { value: undefined, done: true }

  function close(): void {
    if (left) return
    left = true
    leave()
  }

  async function take(): Promise<IteratorResult<TItem, undefined>> {
    for (;;) {
      if (left) return done
      if (at < items.length) return { value: items[at++] as TItem, done: false }
      const more = await pull()
      if (more === undefined) break
      items = more
      at = 0
    }
    close()
    return done
  }

  return {
    next() {
      if (turn === undefined && at < items.length && !left)
        return Promise.resolve({ value: items[at++] as TItem, done: false })
      // One pull at a time, however many items are asked for at once.
      const result = turn === undefined ? take() : turn.then(take)
      const settled = result
        .then(() => {}, close)
        .then(() => {
          if (turn === settled) turn = undefined
        })
      turn = settled
      return result
    },
    return() {
      close()
      return Promise.resolve(done)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
