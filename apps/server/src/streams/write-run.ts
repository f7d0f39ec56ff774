import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import { iterableOf } from './stoppable.ts'

/** A run that is being encoded. */
export interface RunWriting {
  /** Resolves after the last event. Never rejects. */
  readonly ended: Promise<void>
  /** Stops reading events. The run continues. */
  leave(): void
}

/**
 * Events that are encoded before the event loop gets its turn to send them. Deltas that arrive faster are joined in the
 * run's channel.
 */
const EVENTS_A_TURN = 256

/**
 * Encodes the events of a run as they arrive and hands them to `take`. Reading starts with the call, so no event is
 * missed. The encoder reports a failed run to the client.
 */
export function writeRun<TEvent>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
  take: (events: readonly TEvent[]) => void,
): RunWriting {
  const source = run[Symbol.asyncIterator]()
  let left = false

  async function write(): Promise<void> {
    let count = 0
    try {
      for await (const event of iterableOf({ next: () => source.next() })) {
        take(encoder.push(event))
        if (left || encoder.ended) return leave()
        if (++count % EVENTS_A_TURN === 0) await nextTurn()
      }
      take(encoder.end())
    } catch (error) {
      take(encoder.end(error))
    }
    leave()
  }

  function leave(): void {
    if (left) return
    left = true
    source.return?.().catch(() => {})
  }

  return { ended: write(), leave }
}
