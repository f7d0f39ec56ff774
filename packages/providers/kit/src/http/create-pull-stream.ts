import { createDemandQueue } from './create-demand-queue.ts'

/** What a producer writes to. */
export interface PullSink<TItem> {
  /** Hands over an item. Ignored once the stream has ended. */
  emit(item: TItem): void
  /** Waits until the reader has taken every item; undefined when it already has. */
  drained(): Promise<void> | undefined
  /** Ends the stream at once with `error`, before items not yet taken and before the producer returns. */
  fail(error: unknown): void
}

export interface PullStreamOptions<TItem> {
  /** Started by the first pull. Its return ends the stream, its throw fails it after the items emitted so far. */
  readonly produce: (sink: PullSink<TItem>) => Promise<void>
  /** Called once when the reader leaves before the end. */
  readonly onLeave: () => void
}

/**
 * A stream for one reader with a push-style producer that can wait for it. Leaving takes effect at once, also while a
 * pull is pending: an async generator would queue its return behind the pull.
 */
export function createPullStream<TItem>({ produce, onLeave }: PullStreamOptions<TItem>): AsyncIterable<TItem> {
  const queue = createDemandQueue<TItem>()
  let started = false

  const sink: PullSink<TItem> = {
    emit: queue.push,
    drained: queue.drained,
    fail(error) {
      if (queue.ended) return
      queue.clear()
      queue.end({ error })
    },
  }

  function start(): Promise<IteratorResult<TItem, undefined>> {
    started = true
    produce(sink).then(
      () => queue.end(),
      (error: unknown) => queue.end({ error }),
    )
    return queue.next()
  }

  const iterator: AsyncIterator<TItem, undefined> = {
    next: () => (started ? queue.next() : start()),
    return() {
      const early = started && !queue.ended
      started = true
      queue.end()
      queue.clear()
      if (early) onLeave()
      return Promise.resolve({ value: undefined, done: true })
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
