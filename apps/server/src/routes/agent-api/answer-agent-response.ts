import type { Context } from 'hono'
import { readAgentFrames } from '../../responses/read-agent-frames.ts'
import type { ServedAgentResponse } from '../../responses/serve-agent-response.ts'
import type { RunAttempt } from '../../state/run-attempt.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerFrames } from '../answer-frames.ts'

export interface AnswerOptions {
  readonly response: ServedAgentResponse
  readonly stream: boolean
  /** Whether to answer with the first state of the response (status 202) and not wait for its end. */
  readonly background: boolean
  /** The request, if it began the run. @default none */
  readonly attempt?: RunAttempt | undefined
}

/** Answers with a response in the form that the client requested: a stream, the whole response, or only its start. */
export async function answerAgentResponse(
  context: Context,
  server: ServerContext,
  { response, stream, background, attempt }: AnswerOptions,
): Promise<Response> {
  if (background) return context.json(await response.started, 202)
  if (!stream) return context.json(await response.ended)
  const { scope, id } = response
  const frames = response.read() ?? (await readAgentFrames(server, { scope, id, after: -1 }))
  return answerFrames(context, server, { frames, attempt })
}
