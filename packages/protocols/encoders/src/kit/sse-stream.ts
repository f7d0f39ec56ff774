import { checkOptions, systemClock, type Clock, type OptionKinds } from '@parley/core'
import { FrameReader } from './frame-reader.ts'
import type { Frame } from './encode-sse-frame.ts'

/** A comment that keeps a connection alive. It is not an event. */
export const SSE_KEEP_ALIVE = ': keep-alive\n\n'

/** The HTTP headers of a response with server-sent events. */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Options of `sseStream`. */
export interface SseStreamOptions {
  /** Milliseconds without an event before a keep-alive comment is sent. @default 15_000 */
  readonly keepAliveMs?: number | undefined
  /** Milliseconds within which the reader must accept data. After that the source is cut, if it has `cut`. @default never */
  readonly readerTimeoutMs?: number | undefined
  /** Runs the timers. @default the system clock */
  readonly clock?: Pick<Clock, 'after'> | undefined
}

const OPTIONS: OptionKinds<SseStreamOptions> = {
  keepAliveMs: 'number',
  readerTimeoutMs: 'number',
  clock: 'object',
}

/** Events, and frames that are already encoded. `cut` ends the stream of a reader that accepts no data. */
export interface SseSource<TEvent> extends AsyncIterable<TEvent | string> {
  cut?(): void
}

/**
 * Creates the body of an HTTP response with `SSE_HEADERS`. Sends events and comments only when the reader pulls. Cancelling
 * the body closes the source.
 */
export function sseStream<TEvent extends object>(
  source: SseSource<TEvent>,
  encode: (event: TEvent) => Frame,
  options: SseStreamOptions = {},
): ReadableStream<Uint8Array> {
  checkOptions('sseStream', options, OPTIONS)
  const { keepAliveMs = 15_000, readerTimeoutMs = Infinity, clock = systemClock } = options
  const encoder = new TextEncoder()
  const iterator = source[Symbol.asyncIterator]()
  const frames = new FrameReader()
  let stopTimer = (): void => {}

  function keepAlive(controller: ReadableStreamDefaultController<Uint8Array>): void {
    stopTimer = clock.after(keepAliveMs, () => {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(SSE_KEEP_ALIVE))
      keepAlive(controller)
    })
  }

  /** Starts a timer that cuts the source. The next pull stops it: the reader has then accepted the data. */
  function expectPull(): void {
    if (source.cut === undefined || readerTimeoutMs === Infinity) return
    stopTimer = clock.after(readerTimeoutMs, () => source.cut?.())
  }

  /** Returns the rest of a large event, or else what the source gives next. `undefined` at its end. */
  async function nextPiece(): Promise<string | undefined> {
    const rest = frames.piece(() => undefined)
    if (rest !== '') return rest
    const { value, done } = await iterator.next()
    if (done === true) return undefined
    if (typeof value === 'string') return value
    let frame: Frame | undefined = encode(value)
    return frames.piece(() => {
      const taken = frame
      frame = undefined
      return taken
    })
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      stopTimer()
      keepAlive(controller)
      const piece = await nextPiece().finally(() => stopTimer())
      if (piece === undefined) controller.close()
      else {
        controller.enqueue(encoder.encode(piece))
        expectPull()
      }
    },
    async cancel() {
      stopTimer()
      await iterator.return?.()
    },
  })
}
