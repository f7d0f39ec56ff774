import type { RunEvent } from '@parley/core'
import { pullItems } from './pull-items.ts'
import type { RunEncoder } from './run-encoder.ts'

/**
 * Encodes a run as the events of another protocol. The iterator pulls: a slow reader does not slow the run, because the
 * run's own feed joins the deltas that were not read. The iterator never throws; the encoder turns a failure into the
 * terminal event. Subscribes to the run at once, so no event is missed. Leaving the loop stops watching the run. It
 * does not stop the run.
 */
export function encodeRun<TEvent>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
): AsyncIterableIterator<TEvent, undefined> {
  const source = run[Symbol.asyncIterator]()
  const pull = async (): Promise<readonly TEvent[] | undefined> => {
    if (encoder.ended) return undefined
    try {
      const { value, done } = await source.next()
      return done === true ? encoder.end() : encoder.push(value)
    } catch (error) {
      return encoder.end(error)
    }
  }
  return pullItems(pull, () => void source.return?.().catch(() => {}))
}

/** Encodes a whole run. Resolves to all its events when the run has ended. */
export async function collectRun<TEvent>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
): Promise<readonly TEvent[]> {
  const events: TEvent[] = []
  for await (const event of encodeRun(run, encoder)) events.push(event)
  return events
}
