import { SSE_HEADERS, toSseStream } from '@parley/agent-api'
import type { Context } from 'hono'
import type { ServerContext } from '../state/server-context.ts'

export interface FramesOptions {
  /** Server-sent events, any number at a time. */
  readonly frames: AsyncIterable<string>
  /** @default SSE_HEADERS */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Server-sent events as the body of an answer. A reader that leaves leaves the run alone. */
export function answerFrames(
  context: Context,
  { keepAliveMs, clock }: ServerContext,
  { frames, headers = SSE_HEADERS }: FramesOptions,
): Response {
  // Said here, it keeps the adapter from waiting whether the whole answer is there at once.
  const streamed = { ...headers, 'transfer-encoding': 'chunked' }
  return context.body(toSseStream(frames, { keepAliveMs, clock }), 200, streamed)
}
