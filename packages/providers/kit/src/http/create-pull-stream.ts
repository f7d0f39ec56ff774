import { createChannel } from '@parley/core'

/** The producer's side of a pull stream. */
export interface PullSink<TItem> {
  /** Hands over an item. Ignored once the stream has ended. */
  emit(item: TItem): void
  /** Resolves when the reader has taken every item; `undefined` if it already has. */
  drained(): Promise<void> | undefined
  /** Ends the stream at once with `error`: drops unread items and does not wait for the producer. */
  fail(error: unknown): void
}

export interface PullStreamOptions<TItem> {
  /**
   * Produces the items. Called at the first pull. When it returns, the stream ends. When it throws, the stream fails
   * after the items so far.
   */
  readonly produce: (sink: PullSink<TItem>) => Promise<void>
  /** Called once if the reader leaves before the end. */
  readonly onLeave: () => void
}

/**
 * Creates a stream for one reader. Its producer starts at the first pull, pushes items, and can wait for the reader.
 */
export function createPullStream<TItem>({ produce, onLeave }: PullStreamOptions<TItem>): AsyncIterable<TItem> {
  let started = false
  let ended = false
  /** Items emitted minus items pulled: above 0 if items wait for the reader, below 0 if the reader waits for items. */
  let unread = 0
  let drain: PromiseWithResolvers<void> | undefined
  let failure: { readonly error: unknown } | undefined
  const channel = createChannel<TItem>({ highWater: Infinity, onLeave: () => void (started && onLeave()) })
  const items = channel[Symbol.asyncIterator]() as Required<AsyncIterator<TItem, undefined>>

  function release(): void {
    drain?.resolve()
    drain = undefined
  }

  const sink: PullSink<TItem> = {
    emit(item) {
      if (ended) return
      unread++
      channel.push(item)
    },
    drained() {
      if (unread <= 0) return undefined
      drain ??= Promise.withResolvers<void>()
      return drain.promise
    },
    fail(error) {
      if (ended) return
      ended = true
      if (unread >= 0) failure = { error }
      channel.end(error)
      if (failure !== undefined) void items.return()
      release()
    },
  }

  function start(): void {
    started = true
    const end = (error?: unknown): void => {
      ended = true
      channel.end(error)
    }
    produce(sink).then(() => end(), end)
  }

  const iterator: AsyncIterator<TItem, undefined> = {
    next() {
      if (!started && !ended) start()
      if (failure !== undefined) {
        const { error } = failure
        failure = undefined
        return Promise.reject(error)
      }
      unread--
      if (unread <= 0) release()
      return items.next()
    },
    return() {
      ended = true
      failure = undefined
      release()
      return items.return()
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
