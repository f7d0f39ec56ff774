import type { ModelEvent } from '@parley/core'
import type { Stopper } from '../stopper.ts'
import { loopTurns } from './loop-turns.ts'

/** Receives a model's events. An error that it throws ends the reading. */
export interface ModelEventSink {
  add(event: ModelEvent): void
}

/** Events after which other work of the process gets its turn. A stream that never waits would block it until its end. */
const EVENTS_A_TURN = 128

/**
 * Passes each event of a model's stream to `sink` until the stream ends or the run is stopped. Does not wait for a provider
 * that ignores its signal. Rejects with the error of the stream, or with the reason of the stop.
 */
export function readStream(events: AsyncIterable<ModelEvent>, stopper: Stopper, sink: ModelEventSink): Promise<void> {
  return new Promise((resolve, reject) => {
    const iterator = events[Symbol.asyncIterator]()
    let count = 0
    let place: number | undefined
    // Not `for await`: it cannot be left while an event is pending, and its promises slow down each event (bench: tricks read-loop).
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
        if (++count % EVENTS_A_TURN === 0) loopTurns.wait((place ??= loopTurns.begin()), next)
        else iterator.next().then(take, fail)
      } catch (error) {
        fail(error)
      }
    }
    const next = (): void => {
      if (!stopper.stopped) iterator.next().then(take, fail)
    }
    stopper.onStop(onStop)
    if (!stopper.stopped) iterator.next().then(take, fail)
  })
}
