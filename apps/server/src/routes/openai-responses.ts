import { SSE_HEADERS, toRunEvents } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import { collectRun, encodeRun } from '@parley/encoders'
import {
  createResponsesEncoder,
  parseResponsesRequest,
  responseIdOf,
  type ResponseObject,
  type ResponsesInput,
} from '@parley/encoders/openai-responses'
import type { Context, Hono } from 'hono'
import { answerFrames } from './answer-frames.ts'
import { cancelRun } from '../runs/cancel-run.ts'
import { checkId } from '../problem/check-id.ts'
import { describe, serveProtocol } from '../runs/serve-protocol.ts'
import { findRun } from '../runs/find-run.ts'
import { Problem } from '../problem/problem.ts'
import { readJson } from '../limits/read-json.ts'
import type { ServerContext } from '../server-context.ts'
import type { ServerEnv } from '../server-env.ts'

/** `/v1/responses`: OpenAI's Responses. */
export function addOpenAiResponsesRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/v1/responses', async context => {
    const wanted = parseResponsesRequest(await readJson(context, server.limits))
    checkId('conversation', wanted.sessionId)
    return answer(context, server, await inConversation(server, context.get('caller').scope, wanted))
  })

  app.get('/v1/responses/:id', async context => {
    const { scope } = context.get('caller')
    return context.json(await readResponse(server, scope, context.req.param('id')))
  })

  app.post('/v1/responses/:id/cancel', async context => {
    const { scope } = context.get('caller')
    const id = context.req.param('id')
    await cancelRun(server, scope, id)
    return context.json(await readResponse(server, scope, id))
  })
}

/** The request with the session of the response it goes on from. */
async function inConversation(server: ServerContext, scope: string, wanted: ResponsesInput): Promise<ResponsesInput> {
  const { previousResponseId: before, sessionId } = wanted
  if (before === undefined) return wanted
  if (sessionId !== undefined) {
    const message = 'previous_response_id and conversation exclude each other.'
    throw new Problem(400, 'INVALID_PARAMETER', { message })
  }
  const { record } = await findRun(server, scope, before)
  return { ...wanted, sessionId: record.sessionId }
}

async function answer(context: Context<ServerEnv>, server: ServerContext, wanted: ResponsesInput): Promise<Response> {
  const { name: model } = server.agents.get(wanted.model)
  const { previousResponseId, decisions, stream, background } = wanted
  const how = { caller: context.get('caller'), wanted }
  return serveProtocol(server, how, async ({ runId, events }) => {
    const responseId =
      decisions.length === 0 ? responseIdOf(runId) : `${responseIdOf(runId)}_${await seqOf(server, runId)}`
    const encoder = createResponsesEncoder({ model, describe, responseId, previousResponseId })
    if (stream) {
      const nameOf = (event: { readonly type: string }): string => event.type
      return answerFrames(context, server, { events, encoder, headers: SSE_HEADERS, nameOf })
    }
    if (background) {
      const encoded = encodeRun(events, encoder)
      await encoded.next()
      await encoded.return?.()
    } else await collectRun(events, encoder)
    return context.json(encoder.response)
  })
}

/** The number of the entry a decision began with. */
async function seqOf({ store }: ServerContext, runId: string): Promise<number> {
  const entries = await store.read(runId)
  return entries.findLast(entry => entry.type === 'run.resumed')?.seq ?? 1
}

/**
 * A response as the journal has it: what is being written is not in it yet.
 * @throws Problem 404.
 */
async function readResponse(server: ServerContext, scope: string, id: string): Promise<ResponseObject | undefined> {
  const { record, fromSeq } = await findRun(server, scope, id)
  const events: readonly RunEvent[] = toRunEvents(record.runId, await server.store.read(record.runId)).slice(
    fromSeq - 1,
  )
  const encoder = createResponsesEncoder({ model: record.agent, describe, responseId: id })
  for (const event of events) encoder.push(event)
  return encoder.response
}
