import { createAgentEncoder, encodeSse, SSE_HEADERS, toAgentError, toRunInput, type RunInput } from '@parley/agent-api'
import { parseAgentRequest } from '@parley/agent-api/schema'
import { ParleyError } from '@parley/core'
import type { Context, Hono } from 'hono'
import type { Client, ServerEnv } from '../../access/client.ts'
import { checkId } from '../../limits/check-id.ts'
import { readJson } from '../../limits/read-json.ts'
import {
  serveAgentDecision,
  serveAgentResponse,
  type ServedAgentResponse,
} from '../../responses/serve-agent-response.ts'
import { findSuspendedRun } from '../../runs/find-run.ts'
import { startRun } from '../../runs/start-run.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerResponse } from '../answer-response.ts'

/** Adds `POST /process`, an Agent API request. It answers with a stream, the whole response, or in the background. */
export function addProcessRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/process', async context => {
    const request = parseAgentRequest(await readJson(context, server.limits))
    const parsed = toRunInput(request)
    checkId('id', parsed.responseId)
    checkId('session_id', parsed.sessionId)
    const client = context.get('client')
    if (parsed.responseId !== undefined) server.agentResponses.checkFree(client.scope, parsed.responseId)
    const form = { stream: parsed.stream, background: request['background'] === true }
    if (parsed.decisions.length === 0)
      return answerResponse(context, server, { ...form, response: await serveRun(server, client, parsed) })
    try {
      const response = await serveDecisions(server, client, parsed)
      return await answerResponse(context, server, { ...form, response })
    } catch (error) {
      if (!ParleyError.is(error)) throw error
      return answerFailure(context, parsed, error)
    }
  })
}

function serveRun(server: ServerContext, client: Client, parsed: RunInput): Promise<ServedAgentResponse> {
  const { input, history, sessionId, settings, model: agent, responseId } = parsed
  return startRun(server, { client, agent, input, history, sessionId, settings, responseId }, run => {
    const { runId, sessionId: session } = run
    const id = responseId ?? `response_${runId}`
    return serveAgentResponse(server, { id, scope: client.scope, runId, sessionId: session, watch: () => run })
  })
}

async function serveDecisions(server: ServerContext, client: Client, parsed: RunInput): Promise<ServedAgentResponse> {
  const { decisions, sessionId, responseId } = parsed
  const [{ approvalId } = { approvalId: '' }] = decisions
  const runId = await findSuspendedRun(server, client.scope, { approvalId, sessionId })
  return serveAgentDecision(server, { client, runId, decisions, responseId })
}

/** The request is valid, but its approval is no longer pending. The protocol reports that as a failed response. */
function answerFailure(context: Context, { responseId, sessionId, stream }: RunInput, error: ParleyError): Response {
  const events = createAgentEncoder({ responseId, sessionId }).end(error)
  if (stream) return context.body(events.map(encodeSse).join(''), 200, { ...SSE_HEADERS })
  return context.json(events.at(-1) ?? { error: toAgentError(error.info) })
}
