import type { RunEvent } from '@parley/core'
import type { RunEncoder } from './run-encoder.ts'

/**
 * A run as the events of an encoder. Pulls, and never throws: what goes wrong is told by the encoder. Reading begins with
 * the call, so nothing is missed; leaving stops watching, not the run.
 */
export function encodeRun<TEvent>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
): AsyncIterableIterator<TEvent, undefined> {
  const source = run[Symbol.asyncIterator]()
  let events: readonly TEvent[] = []
  let at = 0
  let left = false
  const done: IteratorResult<TEvent, undefined> = { value: undefined, done: true }

  async function pull(): Promise<readonly TEvent[]> {
    try {
      const result = await source.next()
      return result.done === true ? encoder.end() : encoder.push(result.value)
    } catch (error) {
      return encoder.end(error)
    }
  }

  function leave(): void {
    if (left) return
    left = true
    source.return?.().catch(() => {})
  }

  return {
    async next() {
      for (;;) {
        if (left) return done
        if (at < events.length) return { value: events[at++] as TEvent, done: false }
        if (encoder.ended) leave()
        else events = await pull()
        at = 0
      }
    },
    return() {
      leave()
      return Promise.resolve(done)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** All events of a run, when it has ended. */
export async function collectRun<TEvent>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
): Promise<readonly TEvent[]> {
  const events: TEvent[] = []
  for await (const event of encodeRun(run, encoder)) events.push(event)
  return events
}
