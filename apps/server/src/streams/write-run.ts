import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import { nextTurn } from './next-turn.ts'

/** A run that is being encoded. */
export interface RunWriting {
  /** Resolves after the last event. Never rejects. */
  readonly ended: Promise<void>
  /** Stops watching; the run goes on. */
  leave(): void
}

/** As many events are encoded before readers get their turn; deltas that come faster join in the feed of the run. */
const EVENTS_A_TURN = 256

/** Encodes a run as fast as it goes. Reading begins with the call, so nothing is missed; what goes wrong the encoder tells. */
export function writeRun<TEvent>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
  take: (events: readonly TEvent[]) => void,
): RunWriting {
  const source = run[Symbol.asyncIterator]()
  let left = false

  async function write(): Promise<void> {
    try {
      for (let count = 1; !encoder.ended; count++) {
        const { value, done } = await source.next()
        take(done === true ? encoder.end() : encoder.push(value))
        if (left) break
        if (count % EVENTS_A_TURN === 0) await nextTurn()
      }
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
