import { SSE_HEADERS, toSseStream, type AgentEvent } from '@parley/agent-api'
import type { Context } from 'hono'
import type { ServedResponse } from '../runs/served-response.ts'
import type { ServerContext } from '../server-context.ts'

export interface AnswerOptions {
  readonly response: ServedResponse
  readonly stream: boolean
  /** Answer at once with the response as it begins. */
  readonly background: boolean
}

/** A response as its client wants it: as a stream, whole when it has ended, or only begun. */
export async function answerResponse(
  context: Context,
  server: ServerContext,
  { response, stream, background }: AnswerOptions,
): Promise<Response> {
  if (background) return context.json(await response.begun, 202)
  if (!stream) return context.json(await response.ended)
  return answerEvents(context, server, response.log.read() ?? response.fresh())
}

/** Events as the body of an answer. A reader that leaves leaves the run alone. */
export function answerEvents(
  context: Context,
  { keepAliveMs, clock }: ServerContext,
  events: AsyncIterable<AgentEvent | string>,
): Response {
  return context.body(toSseStream(events, { keepAliveMs, clock }), 200, { ...SSE_HEADERS })
}
