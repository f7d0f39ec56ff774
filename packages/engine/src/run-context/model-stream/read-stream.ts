import type { ModelEvent } from '@parley/core'
import type { Stopper } from '../stopper.ts'

/** Takes a model's events. What it throws ends the reading. */
export interface ModelEventSink {
  add(event: ModelEvent): void
}

/**
 * Hands each event of a model's stream to `sink`, until its end or until the run is stopped: a provider that ignores
 * its signal is left behind. Rejects with what the stream throws, or with the stop's reason.
 */
export function readStream(events: AsyncIterable<ModelEvent>, stopper: Stopper, sink: ModelEventSink): Promise<void> {
  return new Promise((resolve, reject) => {
    const iterator = events[Symbol.asyncIterator]()
    // By hand, because `for await` can be left neither by a stop nor without several promises an event.
    const onStop = (reason: unknown): void => {
      reject(reason)
      void iterator.return?.().catch(() => {})
    }
    const fail = (error: unknown): void => {
      stopper.offStop(onStop)
      reject(error)
    }
    const take = (result: IteratorResult<ModelEvent>): void => {
      if (stopper.stopped) return
      if (result.done === true) {
        stopper.offStop(onStop)
        resolve()
        return
      }
      try {
        sink.add(result.value)
        iterator.next().then(take, fail)
      } catch (error) {
        fail(error)
      }
    }
    stopper.onStop(onStop)
    if (!stopper.stopped) iterator.next().then(take, fail)
  })
}
