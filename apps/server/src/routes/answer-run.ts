import type { RunEncoder } from '@parley/encoders'
import { jsonSize, encodeSseFrame } from '@parley/encoders/kit'
import type { Run } from '@parley/engine'
import type { Context } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import type { ProtocolRun } from '../runs/protocol-run.ts'
import type { RunAttempt } from '../state/run-attempt.ts'
import { cutMessage, STREAM_ENDED } from '../streams/cut-message.ts'
import type { ServerContext } from '../state/server-context.ts'
import { streamRun } from '../streams/stream-run.ts'
import { answerFrames } from './answer-frames.ts'

export interface AnswerRunOptions<TEvent> {
  readonly run: ProtocolRun
  /** Records that the client of a POST request leaves or is cut. @default none, for a GET request that only reads the run */
  readonly attempt?: RunAttempt | undefined
  readonly encoder: RunEncoder<TEvent>
  /** Makes the event that tells a reader that its stream was cut. */
  readonly cutEvent: (error: { readonly code: string; readonly message: string }) => TEvent
  /** Response headers. @default SSE_HEADERS */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Data of a frame after the last event. @default none */
  readonly last?: string | undefined
}

/** Answers with a run as the stream of a protocol whose streams cannot be resumed. */
export function answerRun<TEvent extends object>(
  context: Context<ServerEnv>,
  server: ServerContext,
  { run, attempt, encoder, cutEvent, headers, last }: AnswerRunOptions<TEvent>,
): Response {
  const cut = { code: STREAM_ENDED, message: cutMessage(`/process/${run.runId}/events`) }
  const { budget } = server
  let isRead = false
  let forget: (() => void) | undefined
  const frames = streamRun({
    run: run.watch(),
    encoder,
    encode: event => encodeSseFrame(event),
    cutEvent: () => cutEvent(cut),
    last: last === undefined ? undefined : `data: ${last}\n\n`,
    onRead() {
      isRead = true
      forget?.()
    },
  })
  // What an ended run has for a reader that takes nothing is in memory only for this reader.
  const keep = async (driven: Run): Promise<void> => {
    const { scope } = context.get('client')
    const { messages } = await driven.result
    if (isRead) return
    const release = (): void => {
      attempt?.release()
      frames.release()
    }
    forget = budget.keep({ scope, chars: jsonSize(messages), readers: 1, release })
  }
  if (run.run !== undefined) void keep(run.run)
  return answerFrames(context, server, { frames, headers, attempt })
}
