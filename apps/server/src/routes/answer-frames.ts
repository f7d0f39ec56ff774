import { SSE_HEADERS, toSseStream, type FrameStream } from '@parley/agent-api'
import type { Context } from 'hono'
import type { RunAttempt } from '../state/run-attempt.ts'
import type { ServerContext } from '../state/server-context.ts'

/** Time between the end of a slow reader's stream and the end of its connection, in which the reader can learn why. */
const TELL_MS = 5_000

export interface FramesOptions {
  readonly frames: FrameStream
  /** The request that began the run. @default the reader is not the client that began the run */
  readonly attempt?: RunAttempt | undefined
  /** Response headers. @default SSE_HEADERS */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Answers with server-sent events. Tells `attempt` when the reader leaves before the end. */
export function answerFrames(
  context: Context,
  { keepAliveMs, readerTimeoutMs, clock }: ServerContext,
  { frames, attempt, headers = SSE_HEADERS }: FramesOptions,
): Response {
  // Without this header, @hono/node-server delays the response to see whether the whole body is ready at once.
  const streamed = { ...headers, 'transfer-encoding': 'chunked' }
  const cutMs = Math.max(readerTimeoutMs - TELL_MS, readerTimeoutMs / 2)
  const sent = attempt === undefined ? frames : observed(frames, attempt)
  return context.body(toSseStream(sent, { keepAliveMs, readerTimeoutMs: cutMs, clock }), 200, streamed)
}

/** The same frames. A reader that the server cuts has not left on its own. */
function observed(frames: FrameStream, attempt: RunAttempt): FrameStream {
  const observer: FrameStream = {
    next: () => frames.next(),
    return: async () => {
      attempt.leave()
      return (await frames.return?.()) ?? { value: undefined, done: true }
    },
    cut: () => {
      attempt.release()
      frames.cut()
    },
    [Symbol.asyncIterator]: () => observer,
  }
  return observer
}
