/**
 * Makes an iterator readable once, and calls `stop` as soon as the reader leaves, even while an item is pending. The
 * `return` of an async generator alone would wait for the pending item.
 */
export function stoppable<TItem>(items: AsyncIterator<TItem>, stop: () => void): AsyncIterable<TItem> {
  const reader: AsyncIterator<TItem> = {
    next: () => items.next(),
    return: async () => {
      stop()
      await items.return?.()
      return { value: undefined, done: true }
    },
  }
  return iterableOf(reader)
}

/** Makes an iterator that already exists readable with `for await`. */
export function iterableOf<TItem>(items: AsyncIterator<TItem>): AsyncIterable<TItem> {
  return { [Symbol.asyncIterator]: () => items }
}
