import { createAgentEncoder, encodeSse, SSE_HEADERS, toAgentError, toRunInput, type RunInput } from '@parley/agent-api'
import { parseAgentRequest } from '@parley/agent-api/schema'
import { ParleyError } from '@parley/core'
import type { Context, Hono } from 'hono'
import type { Client } from '../../access/client.ts'
import { answerResponse } from '../answer-response.ts'
import { checkId } from '../../limits/check-id.ts'
import { decideRun } from '../../runs/decide-run.ts'
import { findApproval } from '../../runs/find-approval.ts'
import { readJson } from '../../limits/read-json.ts'
import { serveAgentResponse, type ServedAgentResponse } from '../../responses/serve-agent-response.ts'
import type { ServerContext } from '../../state/server-context.ts'
import type { ServerEnv } from '../../access/server-env.ts'
import { startRun } from '../../runs/start-run.ts'

/** `POST /process`: a request of the Agent API, answered as a stream, whole, or in the background. */
export function addProcessRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/process', async context => {
    const request = parseAgentRequest(await readJson(context, server.limits))
    const wanted = toRunInput(request)
    checkId('id', wanted.responseId)
    checkId('session_id', wanted.sessionId)
    const client = context.get('client')
    if (wanted.responseId !== undefined) server.shelf.checkFree(client.scope, wanted.responseId)
    const how = { stream: wanted.stream, background: request['background'] === true }
    if (wanted.decisions.length === 0)
      return answerResponse(context, server, { ...how, response: await serveRun(server, client, wanted) })
    try {
      const response = await serveDecisions(server, client, wanted)
      return await answerResponse(context, server, { ...how, response })
    } catch (error) {
      if (!ParleyError.is(error)) throw error
      return refuseInStream(context, wanted, error)
    }
  })
}

function serveRun(server: ServerContext, client: Client, wanted: RunInput): Promise<ServedAgentResponse> {
  const { input, history, sessionId, settings, model: agent, responseId } = wanted
  return startRun(server, { client, agent, input, history, sessionId, settings, responseId }, run => {
    const { runId, sessionId: session } = run
    const id = responseId ?? `response_${runId}`
    return serveAgentResponse(server, { id, scope: client.scope, runId, sessionId: session, watch: () => run })
  })
}

async function serveDecisions(server: ServerContext, client: Client, wanted: RunInput): Promise<ServedAgentResponse> {
  const { decisions, sessionId, responseId } = wanted
  const [{ approvalId } = { approvalId: '' }] = decisions
  const runId = await findApproval(server, client.scope, { approvalId, sessionId })
  return decideRun(server, { client, runId, decisions, responseId })
}

/** The request is right, but what it decides about is not there any more: a response that fails. */
function refuseInStream(context: Context, { responseId, sessionId, stream }: RunInput, error: ParleyError): Response {
  const events = createAgentEncoder({ responseId, sessionId }).end(error)
  if (stream) return context.body(events.map(encodeSse).join(''), 200, { ...SSE_HEADERS })
  return context.json(events.at(-1) ?? { error: toAgentError(error.info) })
}
