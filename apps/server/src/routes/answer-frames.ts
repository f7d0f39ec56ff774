import { SSE_HEADERS, toSseStream } from '@parley/agent-api'
import type { Context } from 'hono'
import type { ServerContext } from '../state/server-context.ts'

export interface FramesOptions {
  /** Server-sent events. One item may contain several. */
  readonly frames: AsyncIterable<string>
  /** Response headers. @default SSE_HEADERS */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Answers with server-sent events. The run continues when the reader leaves. */
export function answerFrames(
  context: Context,
  { keepAliveMs, clock }: ServerContext,
  { frames, headers = SSE_HEADERS }: FramesOptions,
): Response {
  // Without this header, @hono/node-server delays the response to see whether the whole body is ready at once.
  const streamed = { ...headers, 'transfer-encoding': 'chunked' }
  return context.body(toSseStream(frames, { keepAliveMs, clock }), 200, streamed)
}
