import { systemClock, type Clock } from '@parley/core'
import { encodeSse, SSE_KEEP_ALIVE } from './encode-sse.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

/** Options of `toSseStream`. */
export interface SseStreamOptions {
  /** Milliseconds without an event before a keep-alive comment is sent. @default 15_000 */
  readonly keepAliveMs?: number | undefined
  /** Runs the keep-alive timer. @default the system clock */
  readonly clock?: Pick<Clock, 'after'> | undefined
}

/**
 * Creates the body of an HTTP response with `SSE_HEADERS` from events, or from the frames of an event log. Sends events
 * and comments only when the reader pulls. Cancelling the body closes the source.
 */
export function toSseStream(
  source: AsyncIterable<AgentEvent | string>,
  { keepAliveMs = 15_000, clock = systemClock }: SseStreamOptions = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = source[Symbol.asyncIterator]()
  let stopTimer = (): void => {}

  function keepAlive(controller: ReadableStreamDefaultController<Uint8Array>): void {
    stopTimer = clock.after(keepAliveMs, () => {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(SSE_KEEP_ALIVE))
      keepAlive(controller)
    })
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      keepAlive(controller)
      try {
        const { value, done } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(typeof value === 'string' ? value : encodeSse(value)))
      } finally {
        stopTimer()
      }
    },
    async cancel() {
      stopTimer()
      await iterator.return?.()
    },
  })
}
