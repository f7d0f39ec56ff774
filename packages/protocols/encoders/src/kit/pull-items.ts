/**
 * Iterates over items that arrive several at a time. It is not an async generator, because the `return()` of a
 * generator waits until a pending `next()` settles. A reader that leaves must not wait.
 * @param pull Resolves to the next items, or to `undefined` at the end. Never called concurrently.
 * @param leave Called once, at the end or when the reader leaves.
 */
export function pullItems<TItem>(
  pull: () => Promise<readonly TItem[] | undefined>,
  leave: () => void,
): AsyncIterableIterator<TItem, undefined> {
  let items: readonly TItem[] = []
  let at = 0
  let left = false
  /** Settles when the last pending `next()` has settled. */
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
