import { createAgentEncoder, encodeSse, type AgentEvent, type AgentResponse } from '@parley/agent-api'
import type { Entry, RunEvent } from '@parley/core'
import { decideRun, type DecideRequest } from '../runs/decide-run.ts'
import { ServedResponse } from '../state/served-response.ts'
import type { ServerContext } from '../state/server-context.ts'

export type ServedAgentResponse = ServedResponse<AgentEvent, AgentResponse>

export interface AgentResponseOptions {
  readonly id: string
  readonly scope: string
  readonly runId: string
  readonly sessionId: string
  /** Whether an earlier process started the response. @default false */
  readonly resumed?: boolean | undefined
  /** Returns the events of the run. Called once for each reader. */
  readonly watch: () => AsyncIterable<RunEvent>
  /** Entries that earlier responses of the run contain. @default none */
  readonly prior?: readonly Entry[] | undefined
}

/** Starts to write a response of the Agent API and adds it to the cache. */
export function serveAgentResponse(server: ServerContext, options: AgentResponseOptions): ServedAgentResponse {
  const { id: responseId, sessionId, prior, watch, scope, runId, resumed } = options
  const { profile, limits, agentResponses } = server
  const response = new ServedResponse<AgentEvent, AgentResponse>({
    id: responseId,
    scope,
    runId,
    watch,
    resumed,
    maxReplayChars: limits.maxReplayChars,
    createEncoder: () => createAgentEncoder({ responseId, sessionId, profile, prior }),
    encode: encodeSse,
    responseOf: event => (event.object === 'response' ? event : undefined),
  })
  agentResponses.add(response)
  return response
}

export interface AgentDecisionRequest extends DecideRequest {
  /** Id of the response. @default derived from the run's id and the number of its next entry */
  readonly responseId?: string | undefined
}

/**
 * Applies decisions to a suspended run and serves what follows as one response.
 * @throws what `decideRun` throws, and Problem 409 if an active response has the same id.
 */
export async function serveAgentDecision(
  server: ServerContext,
  { responseId, ...request }: AgentDecisionRequest,
): Promise<ServedAgentResponse> {
  const { client, runId } = request
  const { scope } = client
  if (responseId !== undefined) server.agentResponses.checkFree(scope, responseId)
  const { run, prior, events: watch } = await decideRun(server, request)
  const id = responseId ?? `response_${runId}_${prior.length + 1}`
  return serveAgentResponse(server, { id, scope, runId, sessionId: run.sessionId, watch, prior })
}
