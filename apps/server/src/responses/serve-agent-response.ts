import {
  createAgentEncoder,
  createEventLog,
  encodeSse,
  streamEndedEvent,
  type AgentEvent,
  type AgentResponse,
} from '@parley/agent-api'
import type { Entry, RunEvent } from '@parley/core'
import type { Client } from '../access/client.ts'
import { beginAttempt, type RequestTerms } from '../runs/begin-once.ts'
import { decideRun, type DecideRequest } from '../runs/decide-run.ts'
import { priorEntries } from '../runs/prior-entries.ts'
import type { ProtocolRun } from '../runs/protocol-run.ts'
import { ServedResponse } from '../state/served-response.ts'
import { cutMessage } from '../streams/cut-message.ts'
import type { ServerContext } from '../state/server-context.ts'

export type ServedAgentResponse = ServedResponse<AgentEvent, AgentResponse>

export interface AgentResponseOptions {
  readonly id: string
  readonly scope: string
  readonly runId: string
  readonly sessionId: string
  /** Whether an earlier stream of the response exists. @default false */
  readonly resumed?: boolean | undefined
  /** Returns the events of the run. */
  readonly watch: () => AsyncIterable<RunEvent>
  /** Entries that earlier responses of the run contain, of the kinds that encoders read. @default none */
  readonly prior?: readonly Entry[] | undefined
}

/** Starts to write a response of the Agent API and adds it to the cache. */
export function serveAgentResponse(server: ServerContext, options: AgentResponseOptions): ServedAgentResponse {
  const response = agentResponseOf(server, options)
  server.agentResponses.add(response)
  return response
}

/** Starts to write a response without adding it to the cache. */
export function agentResponseOf(server: ServerContext, options: AgentResponseOptions): ServedAgentResponse {
  const { id: responseId, sessionId, watch, scope, runId, resumed } = options
  const { profile, limits } = server
  const { prior } = options
  return new ServedResponse<AgentEvent, AgentResponse>({
    id: responseId,
    scope,
    runId,
    watch,
    resumed,
    maxReplayChars: limits.maxReplayChars,
    protocol: {
      createLog: logOptions => createEventLog(logOptions),
      createEncoder: () => createAgentEncoder({ responseId, sessionId, profile, prior }),
      responseOf: event => (event.object === 'response' ? event : undefined),
      cutFrame: (last, response) => encodeSse(cutEvent(response, last)),
    },
  })
}

function cutEvent(response: AgentResponse, last: number): AgentEvent {
  const message = cutMessage(`/process/${response.id}/events?starting_after=${last}`)
  return streamEndedEvent({ ...response, completed_at: null, output: null, usage: null }, message)
}

export interface AgentDecisionRequest extends DecideRequest {
  /** The request that decides. @default a request that cannot repeat an earlier one */
  readonly terms?: RequestTerms | undefined
  /** Id of the response. @default derived from the run's id and the number of its next entry */
  readonly responseId?: string | undefined
}

/**
 * Applies decisions to a suspended run and serves what follows as one response.
 * @throws what `decideRun` throws, and Problem 409 if an active response has the same id.
 */
export async function serveAgentDecision(
  server: ServerContext,
  { responseId, terms, ...request }: AgentDecisionRequest,
): Promise<ServedAgentResponse> {
  const { client, runId } = request
  const { scope } = client
  if (responseId !== undefined) server.agentResponses.checkFree(scope, responseId)
  const { run, prior: entries, events: watch } = await decideRun(server, request)
  const fromSeq = entries.length + 1
  const prior = priorEntries(entries, fromSeq)
  if (terms !== undefined) beginAttempt(server, terms, { run, fromSeq })
  const id = responseId ?? agentIdOf(runId, fromSeq)
  return serveAgentResponse(server, { id, scope, runId, sessionId: run.sessionId, watch, prior })
}

/** The id of a response that the client did not choose. */
export function agentIdOf(runId: string, fromSeq: number): string {
  return fromSeq === 1 ? `response_${runId}` : `response_${runId}_${fromSeq}`
}

/** Serves a run whose request the client has sent again. */
export async function serveAgentRepeat(
  server: ServerContext,
  { scope }: Client,
  { run, responseId }: { readonly run: ProtocolRun; readonly responseId: string | undefined },
): Promise<ServedAgentResponse> {
  const { runId, sessionId, fromSeq, watch } = run
  const id = responseId ?? agentIdOf(runId, fromSeq)
  const existing = server.agentResponses.find(scope, id)
  if (existing?.runId === runId) return existing
  const prior = fromSeq === 1 ? [] : priorEntries(await server.store.read(runId), fromSeq)
  return serveAgentResponse(server, { id, scope, runId, sessionId, watch, prior, resumed: true })
}
