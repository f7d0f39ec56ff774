import { createEventLog } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import { nextTurn } from './next-turn.ts'
import { writeRun } from './write-run.ts'

export interface StreamRunOptions<TEvent> {
  readonly run: AsyncIterable<RunEvent>
  readonly encoder: RunEncoder<TEvent>
  /** An event as its reader gets it. */
  readonly encode: (event: TEvent) => string
  /** As many characters wait for a slow reader; one that falls further behind is cut off. */
  readonly maxChars: number
  /** Follows the last event. @default nothing */
  readonly last?: string | undefined
}

/** A run as the frames of one reader's stream. Reading begins with the call; leaving stops watching, not the run. */
export function streamRun<TEvent>(options: StreamRunOptions<TEvent>): AsyncIterable<string> {
  const { run, encoder, encode, maxChars, last } = options
  const log = createEventLog<string>({ maxChars, gather: nextTurn, encode: frame => frame })
  const frames = log.read() as AsyncIterableIterator<string, undefined>
  const writing = writeRun(run, encoder, events => log.push(events.map(event => encode(event))))
  void writing.ended.then(() => {
    if (last !== undefined) log.push([last])
    log.end()
  })
  const reader: AsyncIterator<string, undefined> = {
    next: () => frames.next(),
    return: async () => {
      writing.leave()
      await frames.return?.()
      return { value: undefined, done: true }
    },
  }
  return { [Symbol.asyncIterator]: () => reader }
}
