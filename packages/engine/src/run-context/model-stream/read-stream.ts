import type { ModelEvent } from '@parley/core'
import type { Stopper } from '../stopper.ts'

/** Receives a model's events. An error that it throws ends the reading. The next event is read after the promise that it returns. */
export interface ModelEventSink {
  add(event: ModelEvent): Promise<void> | void
}

/**
 * Passes each event of a model's stream to `sink` until the stream ends or the run is stopped. Does not wait for a provider
 * that ignores its signal. Rejects with the error of the stream, or with the reason of the stop.
 */
export function readStream(events: AsyncIterable<ModelEvent>, stopper: Stopper, sink: ModelEventSink): Promise<void> {
  return new Promise((resolve, reject) => {
    const iterator = events[Symbol.asyncIterator]()
    // Not `for await`: it cannot be left while an event is pending, and its promises slow down each event (bench: tricks read-loop).
    const onStop = (reason: unknown): void => {
      reject(reason)
      void iterator.return?.().catch(() => {})
    }
    const fail = (error: unknown): void => {
      stopper.offStop(onStop)
      reject(error)
    }
    // The sink takes no further event. A provider keeps the connection of a stream that is neither read to its end nor closed.
    const leave = (error: unknown): void => {
      stopper.offStop(onStop)
      onStop(error)
    }
    const take = (result: IteratorResult<ModelEvent>): void => {
      if (stopper.stopped) return
      if (result.done === true) {
        stopper.offStop(onStop)
        resolve()
        return
      }
      try {
        const pause = sink.add(result.value)
        if (pause === undefined) iterator.next().then(take, fail)
        else pause.then(() => iterator.next().then(take, fail)).catch(leave)
      } catch (error) {
        leave(error)
      }
    }
    stopper.onStop(onStop)
    if (!stopper.stopped) iterator.next().then(take, fail)
  })
}
