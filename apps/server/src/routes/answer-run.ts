import type { RunEncoder } from '@parley/encoders'
import type { RunEvent } from '@parley/core'
import type { Context } from 'hono'
import { answerFrames } from './answer-frames.ts'
import { sseFrame } from '../streams/sse-frame.ts'
import { streamRun } from '../streams/stream-run.ts'
import type { ServerContext } from '../state/server-context.ts'

export interface AnswerRunOptions<TEvent> {
  readonly run: AsyncIterable<RunEvent>
  readonly encoder: RunEncoder<TEvent>
  /** @default those of server-sent events */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent after the last event. @default nothing */
  readonly last?: string | undefined
}

/** A run as the stream of a protocol whose streams cannot be taken up again. */
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
