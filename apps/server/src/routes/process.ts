import { createAgentEncoder, encodeSse, SSE_HEADERS, toAgentError, toRunInput, type RunInput } from '@parley/agent-api'
import { parseAgentRequest } from '@parley/agent-api/schema'
import { ParleyError } from '@parley/core'
import type { Context, Hono } from 'hono'
import type { Caller } from '../access/caller.ts'
import { answerResponse } from './answer-response.ts'
import { checkId } from '../problem/check-id.ts'
import { decideRun } from '../runs/decide-run.ts'
import { findApproval } from '../runs/find-approval.ts'
import { readJson } from '../limits/read-json.ts'
import { serveAgentResponse, type ServedAgentResponse } from '../runs/serve-agent-response.ts'
import type { ServerContext } from '../server-context.ts'
import type { ServerEnv } from '../server-env.ts'
import { startRun } from '../runs/start-run.ts'

/** `POST /process`: a request of the Agent API, answered as a stream, whole, or in the background. */
export function addProcessRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/process', async context => {
    const request = parseAgentRequest(await readJson(context, server.limits))
    const wanted = toRunInput(request)
    checkId('id', wanted.responseId)
    checkId('session_id', wanted.sessionId)
    const caller = context.get('caller')
    if (wanted.responseId !== undefined) server.shelf.checkFree(caller.scope, wanted.responseId)
    const how = { stream: wanted.stream, background: request['background'] === true }
    if (wanted.decisions.length === 0)
      return answerResponse(context, server, { ...how, response: await serveRun(server, caller, wanted) })
    try {
      const response = await serveDecisions(server, caller, wanted)
      return await answerResponse(context, server, { ...how, response })
    } catch (error) {
      if (!ParleyError.is(error)) throw error
      return refuseInStream(context, wanted, error)
    }
  })
}

function serveRun(server: ServerContext, caller: Caller, wanted: RunInput): Promise<ServedAgentResponse> {
  const { input, history, sessionId, settings, model: agent, responseId } = wanted
  return startRun(server, { caller, agent, input, history, sessionId, settings, responseId }, run => {
    const { runId, sessionId: session } = run
    const id = responseId ?? `response_${runId}`
    return serveAgentResponse(server, { id, scope: caller.scope, runId, sessionId: session, watch: () => run })
  })
}

async function serveDecisions(server: ServerContext, caller: Caller, wanted: RunInput): Promise<ServedAgentResponse> {
  const { decisions, sessionId, responseId } = wanted
  const [{ approvalId } = { approvalId: '' }] = decisions
  const runId = await findApproval(server, caller.scope, { approvalId, sessionId })
  return decideRun(server, { caller, runId, decisions, responseId })
}

/** The request is right, but what it decides about is not there any more: a response that fails. */
function refuseInStream(context: Context, { responseId, sessionId, stream }: RunInput, error: ParleyError): Response {
  const events = createAgentEncoder({ responseId, sessionId }).end(error)
  if (stream) return context.body(events.map(encodeSse).join(''), 200, { ...SSE_HEADERS })
  return context.json(events.at(-1) ?? { error: toAgentError(error.info) })
}
