import type { Json, RunRecord } from '@parley/core'
import type { ResponsesInput } from '@parley/encoders/openai-responses'
import type { Client } from '../access/client.ts'
import { findRun } from '../runs/find-run.ts'
import { Problem } from '../problem/problem.ts'
import { GIVEN_FIELDS, serveOpenAiResponse, type ServedOpenAiResponse } from './serve-open-ai-response.ts'
import { serveProtocol } from '../runs/serve-protocol.ts'
import type { ServerContext } from '../state/server-context.ts'

/**
 * Begins the response a request asks for.
 * @throws Problem 400, 404 for a `previous_response_id`, and what `serveProtocol` throws.
 */
export async function beginOpenAiResponse(
  server: ServerContext,
  client: Client,
  wanted: ResponsesInput,
): Promise<ServedOpenAiResponse> {
  const { scope } = client
  const { given } = wanted
  const { name: model } = server.agents.get(wanted.model)
  const place = await findPlace(server, scope, wanted)
  const metadata = { [GIVEN_FIELDS]: given as Record<string, Json> }
  const how = { client, wanted: { ...wanted, ...place }, after: place.after, metadata }
  return serveProtocol(server, how, ({ runId, fromSeq, watch }) =>
    serveOpenAiResponse(server, { scope, runId, fromSeq, model, given, watch }),
  )
}

interface Place {
  readonly sessionId?: string | undefined
  readonly after?: RunRecord | undefined
}

/** Where a conversation goes on: at the end of its session, or, from an earlier response, in a branch. */
async function findPlace(server: ServerContext, scope: string, wanted: ResponsesInput): Promise<Place> {
  const { previousResponseId: before, sessionId } = wanted
  if (before === undefined) return { sessionId }
  if (sessionId !== undefined) {
    const message = 'previous_response_id and conversation exclude each other.'
    throw new Problem(400, 'INVALID_PARAMETER', { message })
  }
  const { record } = await findRun(server, scope, before)
  const isLast = wanted.decisions.length > 0 || (await isNewest(server, record))
  return isLast ? { sessionId: record.sessionId } : { after: record }
}

/** Whether nothing was said in the session since. */
async function isNewest({ store }: ServerContext, { runId, sessionId, scope }: RunRecord): Promise<boolean> {
  let [newest] = await store.runs({ scope, sessionId, limit: 1 })
  while (newest?.relation === 'compaction' && newest.parent !== undefined) newest = await store.run(newest.parent)
  return newest?.runId === runId
}
