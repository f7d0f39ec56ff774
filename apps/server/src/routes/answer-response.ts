import type { Context } from 'hono'
import type { ServedResponse } from '../state/served-response.ts'
import type { ServerContext } from '../state/server-context.ts'
import { answerFrames } from './answer-frames.ts'

export interface AnswerOptions<TEvent, TResponse> {
  readonly response: ServedResponse<TEvent, TResponse>
  readonly stream: boolean
  /** Whether to answer with the first state of the response (status 202) and not wait for its end. */
  readonly background: boolean
}

/** Answers with a response in the form that the client requested: a stream, the whole response, or only its start. */
export async function answerResponse<TEvent, TResponse extends object>(
  context: Context,
  server: ServerContext,
  { response, stream, background }: AnswerOptions<TEvent, TResponse>,
): Promise<Response> {
  if (background) return context.json(await response.started, 202)
  if (!stream) return context.json(await response.ended)
  return answerFrames(context, server, { frames: response.read() ?? response.replay() })
}
