import { sseStream, type SseSource, type SseStreamOptions } from '@parley/encoders/kit'
import { encodeFrame } from './agent-traits.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

/** A source that can end the stream of a reader that accepts no data. An event log makes one for each reader. */
export type CuttableSource = SseSource<AgentEvent>

/**
 * Creates the body of an HTTP response with `SSE_HEADERS` from events, or from the frames of an event log. Sends events
 * and comments only when the reader pulls. Cancelling the body closes the source.
 */
export function toSseStream(source: CuttableSource, options: SseStreamOptions = {}): ReadableStream<Uint8Array> {
  return sseStream(source, encodeFrame, options)
}
