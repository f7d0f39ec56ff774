import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEventLog } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import { stoppable } from './stoppable.ts'
import { writeRun } from './write-run.ts'

export interface StreamRunOptions<TEvent> {
  readonly run: AsyncIterable<RunEvent>
  readonly encoder: RunEncoder<TEvent>
  /** Turns an event into the frame that the reader receives. */
  readonly encode: (event: TEvent) => string
  /** Characters that may wait for a slow reader. The stream of a reader that falls further behind is cut off. */
  readonly maxChars: number
  /** Frame that follows the last event. @default none */
  readonly last?: string | undefined
}

/**
 * Encodes a run as the frames of one reader's stream. Reading starts with the call. A reader that leaves does not stop
 * the run.
 */
export function streamRun<TEvent>(options: StreamRunOptions<TEvent>): AsyncIterable<string> {
  const { run, encoder, encode, maxChars, last } = options
  const log = createEventLog<string>({ maxChars, gather: nextTurn, encode: frame => frame })
  const frames = log.read() as AsyncIterableIterator<string, undefined>
  const writing = writeRun(run, encoder, events => log.push(events.map(event => encode(event))))
  void writing.ended.then(() => {
    if (last !== undefined) log.push([last])
    log.end()
  })
  return stoppable(frames, () => writing.leave())
}
