import type { RunEvent } from '@parley/core'
import { encodeRun } from './encode-run.ts'
import type { RunEncoder } from './run-encoder.ts'
import { encodeSseFrame, type SseFields } from './encode-sse-frame.ts'
import { SSE_HEADERS, sseStream } from './sse-stream.ts'

/** How a protocol sends its events. */
export interface SseResponseFormat<TEvent> {
  /** HTTP headers of the response. @default SSE_HEADERS */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Other fields of the server-sent event. @default none */
  readonly fields?: ((event: TEvent) => SseFields) | undefined
  /** Data of a frame after the last event. @default none */
  readonly last?: string | undefined
}

/**
 * Creates an HTTP response that streams a run to a client. A failure of the run is in the stream, as the encoder writes it. A
 * client that leaves does not stop the run.
 */
export function sseResponse<TEvent extends object>(
  run: AsyncIterable<RunEvent>,
  encoder: RunEncoder<TEvent>,
  { headers = SSE_HEADERS, fields = () => ({}), last }: SseResponseFormat<TEvent> = {},
): Response {
  const events = encodeRun(run, encoder)
  const source = last === undefined ? events : withLast(events, `data: ${last}\n\n`)
  return new Response(
    sseStream<TEvent>(source, event => encodeSseFrame(event, fields(event))),
    { headers },
  )
}

/** Yields the same items, and then one more. */
function withLast<TEvent>(
  events: AsyncIterableIterator<TEvent, undefined>,
  last: string,
): AsyncIterableIterator<TEvent | string, undefined> {
  let isOver = false
  const iterator: AsyncIterableIterator<TEvent | string, undefined> = {
    next: async () => {
      const item = isOver ? ({ value: undefined, done: true } as const) : await events.next()
      if (item.done !== true || isOver) return item
      isOver = true
      return { value: last, done: false }
    },
    return: async () => {
      isOver = true
      return (await events.return?.()) ?? { value: undefined, done: true }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}
