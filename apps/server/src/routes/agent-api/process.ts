import { createAgentEncoder, encodeSse, SSE_HEADERS, toAgentError, toRunInput, type RunInput } from '@parley/agent-api'
import { parseAgentRequest } from '@parley/agent-api/schema'
import { ParleyError } from '@parley/core'
import type { Context, Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { checkId } from '../../limits/check-id.ts'
import {
  agentIdOf,
  serveAgentDecision,
  serveAgentRepeat,
  serveAgentResponse,
  type ServedAgentResponse,
} from '../../responses/serve-agent-response.ts'
import { beginOnce, termsOf, type RequestTerms } from '../../runs/begin-once.ts'
import { findSuspendedRun, findWaitingRun, type WaitingRun } from '../../runs/find-run.ts'
import { readAttempt } from '../../runs/read-attempt.ts'
import { checkResults } from '../../runs/serve-protocol.ts'
import { startRun } from '../../runs/start-run.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerAgentResponse } from './answer-agent-response.ts'

/**
 * Adds `POST /process`, an Agent API request. It answers with a stream, with the whole response, or at once while the
 * run continues in the background.
 */
export function addProcessRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/process', async context => {
    const { body, attempt } = await readAttempt(context, server)
    const request = parseAgentRequest(body)
    const parsed = toRunInput(request)
    checkId('id', parsed.responseId)
    checkId('session_id', parsed.sessionId)
    const client = context.get('client')
    const form = { stream: parsed.stream, background: request['background'] === true, attempt }
    const terms = termsOf(server, 'agent-api', { client, ...form })
    const answer = (response: ServedAgentResponse): Promise<Response> =>
      answerAgentResponse(context, server, { ...form, response })
    return beginOnce(server, terms, {
      repeat: async run => answer(await serveAgentRepeat(server, client, { run, responseId: parsed.responseId })),
      begin: async () => {
        const { sessionId, results, responseId } = parsed
        if (responseId !== undefined) server.agentResponses.checkFree(client.scope, responseId)
        const waiting = await findWaitingRun(server, { scope: client.scope, sessionId, results })
        if (parsed.decisions.length === 0 && waiting === undefined)
          return answer(await serveRun(server, terms, { parsed, givenContext: request['context'] }))
        try {
          return await answer(await serveAnswers(server, terms, { parsed, waiting }))
        } catch (error) {
          if (!ParleyError.is(error)) throw error
          return answerFailure(context, parsed, error)
        }
      },
    })
  })
}

interface NewRun {
  readonly parsed: RunInput
  readonly givenContext: unknown
}

async function serveRun(
  server: ServerContext,
  terms: RequestTerms,
  { parsed, givenContext }: NewRun,
): Promise<ServedAgentResponse> {
  const { client } = terms
  await checkResults(server, { client, parsed })
  const { input, history, sessionId, settings, clientTools, model: agent, responseId } = parsed
  const request = { terms, agent, input, history, sessionId, settings, clientTools, responseId, givenContext }
  return startRun(server, request, run => {
    const { runId, sessionId: session } = run
    const id = responseId ?? agentIdOf(runId, 1)
    return serveAgentResponse(server, { id, scope: client.scope, runId, sessionId: session, watch: () => run })
  })
}

interface Answers {
  readonly parsed: RunInput
  readonly waiting: WaitingRun | undefined
}

async function serveAnswers(
  server: ServerContext,
  terms: RequestTerms,
  { parsed, waiting }: Answers,
): Promise<ServedAgentResponse> {
  const { client } = terms
  const { decisions, sessionId, responseId } = parsed
  const [{ approvalId } = { approvalId: '' }] = decisions
  const runId = waiting?.runId ?? (await findSuspendedRun(server, client.scope, { approvalId, sessionId }))
  return serveAgentDecision(server, { client, terms, runId, decisions, results: waiting?.results, responseId })
}

/** The request is valid, but its approval or call is no longer pending. The protocol reports that as a failed response. */
function answerFailure(context: Context, { responseId, sessionId, stream }: RunInput, error: ParleyError): Response {
  const events = createAgentEncoder({ responseId, sessionId }).end(error)
  if (stream) return context.body(events.map(encodeSse).join(''), 200, { ...SSE_HEADERS })
  return context.json(events.at(-1) ?? { error: toAgentError(error.info) })
}
