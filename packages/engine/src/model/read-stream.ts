import type { ModelEvent } from '@parley/core'
import type { Stopper } from '../run/stopper.ts'

/**
 * Hands each event of a model's stream to `show`, until its end or until the run is stopped: a provider that ignores
 * its signal is left behind. Rejects with what the stream throws, or with the stop's reason.
 */
export function readStream(
  events: AsyncIterable<ModelEvent>,
  stopper: Stopper,
  show: (event: ModelEvent) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const iterator = events[Symbol.asyncIterator]()
    // By hand, because `for await` can be left neither by a stop nor without several promises an event.
    const leave = stopper.onStop(reason => {
      reject(reason)
      void iterator.return?.().catch(() => {})
    })
    const fail = (error: unknown): void => {
      leave()
      reject(error)
    }
    const take = (result: IteratorResult<ModelEvent>): void => {
      if (stopper.stopped) return
      if (result.done === true) {
        leave()
        resolve()
        return
      }
      try {
        show(result.value)
        pull()
      } catch (error) {
        fail(error)
      }
    }
    const pull = (): void => void iterator.next().then(take, fail)
    if (!stopper.stopped) pull()
  })
}
