import { parseResponsesRequest, type ResponseObject } from '@parley/encoders/openai-responses'
import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { checkId } from '../../limits/check-id.ts'
import { readJson } from '../../limits/read-json.ts'
import { invalidParameter } from '../../problem/problem.ts'
import { createOpenAiResponse } from '../../responses/create-open-ai-response.ts'
import { removeRun } from '../../responses/remove-run.ts'
import { openAiEncoderFor } from '../../responses/serve-open-ai-response.ts'
import { cancelRun } from '../../runs/cancel-run.ts'
import { findRun } from '../../runs/find-run.ts'
import { responseEvents, watchRun } from '../../runs/watch-run.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { sseFrame } from '../../streams/sse-frame.ts'
import { streamRun } from '../../streams/stream-run.ts'
import { answerFrames } from '../answer-frames.ts'
import { startingAfter } from '../starting-after.ts'
import { inputItemsOf, pageOf } from './input-items.ts'

/** Adds the routes of the OpenAI Responses API below `/v1/responses`. */
export function addOpenAiResponsesRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/v1/responses', async context => {
    const parsed = parseResponsesRequest(await readJson(context, server.limits))
    checkId('conversation', parsed.sessionId)
    const response = await createOpenAiResponse(server, context.get('client'), parsed)
    if (parsed.stream) return answerFrames(context, server, { frames: response.read() ?? response.replay() })
    return context.json(await (parsed.background ? response.started : response.ended))
  })

  app.get('/v1/responses/:id', async context => {
    const { scope } = context.get('client')
    const id = context.req.param('id')
    if (context.req.query('stream') !== 'true') return context.json(await readResponse(server, scope, id))
    const frames = await framesOf(server, { scope, id, after: startingAfter(context) })
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
 * Reads the current state of a response. The output of an unfinished response contains only its complete items.
 * @throws Problem 404 if the response is unknown.
 */
async function readResponse(server: ServerContext, scope: string, id: string): Promise<ResponseObject | undefined> {
  const served = server.openAiResponses.find(scope, id)
  if (served?.isEnded === true) return served.ended
  const { record, fromSeq } = await findRun(server, scope, id)
  const entries = await server.store.read(record.runId)
  const encoder = openAiEncoderFor(record, { id, entries })
  for (const event of responseEvents(entries, { runId: record.runId, fromSeq })) encoder.push(event)
  const { response } = encoder
  const { current } = served ?? {}
  return current === undefined || response === undefined || encoder.ended
    ? response
    : { ...current, output: response.output }
}

interface FramesQuery {
  readonly scope: string
  readonly id: string
  /** Number of the last event that the reader has. */
  readonly after: number
}

/**
 * Returns the frames of a response after an event number.
 * @throws Problem 400 if the server no longer has the events after this number, 404 if the response is unknown.
 */
async function framesOf(server: ServerContext, { scope, id, after }: FramesQuery): Promise<AsyncIterable<string>> {
  const frames = server.openAiResponses.find(scope, id)?.read(after)
  if (frames !== undefined) return frames
  const found = await findRun(server, scope, id)
  if (after > -1)
    throw invalidParameter(
      `starting_after: the events after ${after} are no longer available; omit it to get the whole response`,
    )
  const encoder = openAiEncoderFor(found.record, { id, entries: await server.store.read(found.record.runId) })
  const { maxReplayChars: maxChars } = server.limits
  return streamRun({
    run: watchRun(server, found),
    encoder,
    encode: event => sseFrame(event, event.type),
    maxChars,
  })
}
