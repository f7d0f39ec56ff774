import { createAgentEncoder, encodeSse, type AgentEvent, type AgentResponse } from '@parley/agent-api'
import type { Entry, RunEvent } from '@parley/core'
import type { ServerContext } from '../state/server-context.ts'
import { ServedResponse } from '../state/served-response.ts'

export type ServedAgentResponse = ServedResponse<AgentEvent, AgentResponse>

export interface AgentResponseOptions {
  readonly id: string
  readonly scope: string
  readonly runId: string
  readonly sessionId: string
  /** Whether another process began to write it. @default false */
  readonly takenUp?: boolean | undefined
  /** The run's events, for each reader anew. */
  readonly watch: () => AsyncIterable<RunEvent>
  /** What earlier responses of the run have shown. @default none */
  readonly prior?: readonly Entry[] | undefined
}

/** Begins to write a response of the Agent API, where its clients find it. */
export function serveAgentResponse(server: ServerContext, options: AgentResponseOptions): ServedAgentResponse {
  const { id: responseId, sessionId, prior, watch, scope, runId, takenUp } = options
  const { profile, limits, shelf } = server
  const response = new ServedResponse<AgentEvent, AgentResponse>({
    id: responseId,
    scope,
    runId,
    watch,
    takenUp,
    maxReplayChars: limits.maxReplayChars,
    createEncoder: () => createAgentEncoder({ responseId, sessionId, profile, prior }),
    encode: encodeSse,
    answerOf: event => (event.object === 'response' ? event : undefined),
  })
  shelf.put(response)
  return response
}
