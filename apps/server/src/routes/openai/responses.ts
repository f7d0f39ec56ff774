import { parseResponsesRequest, type ResponseObject } from '@parley/encoders/openai-responses'
import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { checkId } from '../../limits/check-id.ts'
import { invalidParameter } from '../../problem/problem.ts'
import { createOpenAiResponse } from '../../responses/create-open-ai-response.ts'
import { readOpenAiFrames } from '../../responses/read-open-ai-frames.ts'
import { removeRun } from '../../responses/remove-run.ts'
import { openAiEncoderFor } from '../../responses/serve-open-ai-response.ts'
import { termsOf } from '../../runs/begin-once.ts'
import { cancelRun } from '../../runs/cancel-run.ts'
import { findRun } from '../../runs/find-run.ts'
import { readAttempt } from '../../runs/read-attempt.ts'
import { responseEvents } from '../../runs/watch-run.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerFrames } from '../answer-frames.ts'
import { lastEventId } from '../last-event-id.ts'
import { inputItemsOf, pageOf } from './input-items.ts'

/** Adds the routes of the OpenAI Responses API below `/v1/responses`. */
export function addOpenAiResponsesRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/v1/responses', async context => {
    const { body, attempt } = await readAttempt(context, server)
    const parsed = parseResponsesRequest(body)
    checkId('conversation', parsed.sessionId)
    checkMcpServers(parsed.mcpServerUrls, new URL(context.req.url).host)
    const { stream, background } = parsed
    const terms = termsOf(server, 'openai-responses', { client: context.get('client'), attempt, stream, background })
    const response = await createOpenAiResponse(server, terms, parsed)
    const { scope, id } = response
    if (stream)
      return answerFrames(context, server, {
        frames: await readOpenAiFrames(server, { scope, id, after: -1 }),
        attempt,
      })
    return context.json(await (background ? response.started : response.ended))
  })

  app.get('/v1/responses/:id', async context => {
    const { scope } = context.get('client')
    const id = context.req.param('id')
    if (context.req.query('stream') !== 'true') return context.json(await readResponse(server, scope, id))
    const frames = await readOpenAiFrames(server, { scope, id, after: lastEventId(context) })
    return answerFrames(context, server, { frames })
  })

  app.delete('/v1/responses/:id', async context => {
    const id = context.req.param('id')
    await removeRun(server, context.get('client').scope, id)
    return context.json({ id, object: 'response.deleted', deleted: true })
  })

  app.post('/v1/responses/:id/cancel', async context => {
    const { scope } = context.get('client')
    const id = context.req.param('id')
    await cancelRun(server, scope, id)
    return context.json(await readResponse(server, scope, id))
  })

  app.get('/v1/responses/:id/input_items', async context => {
    const { record, fromSeq } = await findRun(server, context.get('client').scope, context.req.param('id'))
    const entries = await server.store.read(record.runId, { afterSeq: fromSeq - 1 })
    return context.json(pageOf(inputItemsOf(record.runId, entries), context.req.query()))
  })
}

/**
 * Checks that a request names no MCP server but this one, because an agent uses only its own tools.
 * @throws Problem 400
 */
function checkMcpServers(urls: readonly string[], host: string): void {
  const other = urls.find(url => URL.parse(url)?.host !== host)
  if (other === undefined) return
  const rule = `must be an address at ${host}, because agents use only the tools that this server gives them`
  throw invalidParameter(`tools.server_url: is ${JSON.stringify(other)}; ${rule}.`)
}

/**
 * Reads the current state of a response. The output of an unfinished response contains only its complete items.
 * @throws Problem 404 if the response is unknown.
 */
async function readResponse(server: ServerContext, scope: string, id: string): Promise<ResponseObject | undefined> {
  const served = server.openAiResponses.find(scope, id)
  if (served?.isEnded === true) return served.ended
  const { record, fromSeq } = await findRun(server, scope, id)
  const entries = await server.store.read(record.runId)
  const encoder = openAiEncoderFor(record, { id, fromSeq, entries })
  for (const event of responseEvents(entries, { runId: record.runId, fromSeq })) encoder.push(event)
  const { response } = encoder
  const { current } = served ?? {}
  return current === undefined || response === undefined || encoder.ended
    ? response
    : { ...current, output: response.output }
}
