import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
/** A run that is being encoded. */
export interface RunWriting {
  /** Resolves after the last event. Never rejects. */
  readonly ended: Promise<void>
  /** Stops reading events. The run continues. */
  leave(): void
}

/**
 * Number of events that are encoded before the event loop gets its turn to send them. Deltas that arrive faster are
 * joined in the run's channel.
 */
const EVENTS_A_TURN = 256

/**
 * Encodes the events of a run as they arrive and hands them to `take`. Reading starts with the call, so no event is
 * missed. It pauses while `take` returns a pending promise. The encoder reports a failed run to the client.
 */
export function writeRun<TEvent>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
  take: (events: readonly TEvent[]) => Promise<void> | undefined | void,
): RunWriting {
  const source = run[Symbol.asyncIterator]()
  let left = false

  const isOver = (): boolean => left || encoder.ended

  async function write(): Promise<void> {
    let count = 0
    try {
      while (!isOver()) {
        const { value, done } = await source.next()
        if (done === true) break
        const room = take(encoder.push(value))
        if (room !== undefined) await room
        if (++count % EVENTS_A_TURN === 0) await nextTurn()
      }
      if (!left) await take(encoder.end())
    } catch (error) {
      try {
        if (!left) await take(encoder.end(error))
      } catch {
        // The encoder itself fails: its reader sees the stream end.
      }
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
