import type { RunRecord } from '@parley/core'
import type { ResponsesInput } from '@parley/encoders/openai-responses'
import { invalidParameter } from '../problem/problem.ts'
import type { RequestTerms } from '../runs/begin-once.ts'
import { findRun } from '../runs/find-run.ts'
import { serveProtocol } from '../runs/serve-protocol.ts'
import type { ServerContext } from '../state/server-context.ts'
import { givenMetadata, openAiIdOf, serveOpenAiResponse, type ServedOpenAiResponse } from './serve-open-ai-response.ts'

/**
 * Creates the response that a request of `POST /v1/responses` describes.
 * @throws Problem 400 if the request is invalid, 404 if `previous_response_id` is unknown, and what `serveProtocol` throws.
 */
export async function createOpenAiResponse(
  server: ServerContext,
  terms: RequestTerms,
  parsed: ResponsesInput,
): Promise<ServedOpenAiResponse> {
  const { scope } = terms.client
  const { given } = parsed
  const { name: model } = server.agents.get(parsed.model)
  const { after, sessionId } = await findBase(server, scope, parsed)
  const request = { terms, parsed: { ...parsed, sessionId }, after, metadata: givenMetadata(given) }
  return serveProtocol(
    server,
    request,
    ({ runId, fromSeq, prior, watch }) =>
      // A repeated request gets the response that exists.
      server.openAiResponses.find(scope, openAiIdOf(runId, fromSeq)) ??
      serveOpenAiResponse(server, { scope, runId, fromSeq, prior, model, given, watch }),
  )
}

/** The origin of the new response: a session, or an earlier response of which it becomes a branch. */
interface Base {
  readonly sessionId?: string | undefined
  readonly after?: RunRecord | undefined
}

async function findBase(server: ServerContext, scope: string, parsed: ResponsesInput): Promise<Base> {
  const { previousResponseId: previous, sessionId } = parsed
  if (previous === undefined) return { sessionId }
  if (sessionId !== undefined) throw invalidParameter('Use either previous_response_id or conversation, not both.')
  const { record } = await findRun(server, scope, previous)
  const isLast = parsed.decisions.length + parsed.results.length > 0 || (await isNewest(server, record))
  return isLast ? { sessionId: record.sessionId } : { after: record }
}

/** Whether the run is the newest of its session. Compactions do not count, because they add no message of the user. */
async function isNewest({ store }: ServerContext, { runId, sessionId, scope }: RunRecord): Promise<boolean> {
  let [newest] = await store.runs({ scope, sessionId, limit: 1 })
  while (newest?.relation === 'compaction' && newest.parent !== undefined) newest = await store.run(newest.parent)
  return newest?.runId === runId
}
