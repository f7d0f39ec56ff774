import { checkOptions, systemClock, type Clock, type OptionKinds } from '@parley/core'
import { FrameReader, type Frame } from '@parley/encoders/kit'
import { encodeFrame } from './agent-traits.ts'
import { SSE_KEEP_ALIVE } from './encode-sse.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

/** Options of `toSseStream`. */
export interface SseStreamOptions {
  /** Milliseconds without an event before a keep-alive comment is sent. @default 15_000 */
  readonly keepAliveMs?: number | undefined
  /** Milliseconds within which the reader must accept data. After that the source is cut, if it has `cut`. @default never */
  readonly readerTimeoutMs?: number | undefined
  /** Runs the timers. @default the system clock */
  readonly clock?: Pick<Clock, 'after'> | undefined
}

/** A source that can end the stream of a reader that accepts no data. An event log makes one for each reader. */
export interface CuttableSource extends AsyncIterable<AgentEvent | string> {
  cut?(): void
}

const OPTIONS: OptionKinds<SseStreamOptions> = {
  keepAliveMs: 'number',
  readerTimeoutMs: 'number',
  clock: 'object',
}

/**
 * Creates the body of an HTTP response with `SSE_HEADERS` from events, or from the frames of an event log. Sends events
 * and comments only when the reader pulls. Cancelling the body closes the source.
 */
export function toSseStream(source: CuttableSource, options: SseStreamOptions = {}): ReadableStream<Uint8Array> {
  checkOptions('toSseStream', options, OPTIONS)
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

  /** The next pull, when the reader has accepted the data, stops the timer. */
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
    let frame: Frame | undefined = encodeFrame(value)
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
