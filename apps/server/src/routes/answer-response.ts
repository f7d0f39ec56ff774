import type { Context } from 'hono'
import { answerFrames } from './answer-frames.ts'
import type { ServedResponse } from '../state/served-response.ts'
import type { ServerContext } from '../state/server-context.ts'

export interface AnswerOptions<TEvent, TAnswer> {
  readonly response: ServedResponse<TEvent, TAnswer>
  readonly stream: boolean
  /** Answer at once with the response as it begins. */
  readonly background: boolean
}

/** A response as its client wants it: as a stream, whole when it has ended, or only begun. */
export async function answerResponse<TEvent, TAnswer extends object>(
  context: Context,
  server: ServerContext,
  { response, stream, background }: AnswerOptions<TEvent, TAnswer>,
): Promise<Response> {
  if (background) return context.json(await response.begun, 202)
  if (!stream) return context.json(await response.ended)
  return answerFrames(context, server, { frames: response.read() ?? response.fresh() })
}
