import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import type { Context } from 'hono'
import type { ServerContext } from '../state/server-context.ts'
import { sseFrame } from '../streams/sse-frame.ts'
import { streamRun } from '../streams/stream-run.ts'
import { answerFrames } from './answer-frames.ts'

export interface AnswerRunOptions<TEvent> {
  readonly run: AsyncIterable<RunEvent>
  readonly encoder: RunEncoder<TEvent>
  /** Response headers. @default SSE_HEADERS */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Data of a frame after the last event. @default none */
  readonly last?: string | undefined
}

/** Answers with a run as the stream of a protocol whose streams cannot be resumed. */
export function answerRun<TEvent extends object>(
  context: Context,
  server: ServerContext,
  { run, encoder, headers, last }: AnswerRunOptions<TEvent>,
): Response {
  const end = last === undefined ? undefined : `data: ${last}\n\n`
  const { maxReplayChars: maxChars } = server.limits
  const frames = streamRun({ run, encoder, encode: event => sseFrame(event), maxChars, last: end })
  return answerFrames(context, server, { frames, headers })
}
