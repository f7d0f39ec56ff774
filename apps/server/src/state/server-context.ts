import type { AgentEvent, AgentProfile, AgentResponse } from '@parley/agent-api'
import type { Clock, Json, Store } from '@parley/core'
import type { ResponseObject, ResponsesEvent } from '@parley/encoders/openai-responses'
import type { Runtime } from '@parley/engine'
import type { ServerLimits } from '../limits/server-limits.ts'
import type { ContextRequest } from '../runs/context-request.ts'
import type { AgentDirectory } from './agent-directory.ts'
import type { LiveRuns } from './live-runs.ts'
import type { ProtocolRules } from './protocol-rules.ts'
import type { ReplayBudget } from './replay-budget.ts'
import type { ResponseCache } from './response-cache.ts'
import type { RunAttempts } from './run-attempts.ts'
import type { SessionTurns } from './session-turns.ts'

/** Where an error comes from. */
export interface ErrorOrigin {
  /** Id of the request, as `x-request-id` in the response. */
  readonly requestId: string
  /** The run in which the error occurred. Missing outside a run. */
  readonly runId?: string | undefined
}

/** The objects that the routes of one server share. */
export interface ServerContext {
  readonly runtime: Runtime
  readonly store: Store
  readonly agents: AgentDirectory
  readonly live: LiveRuns
  /** Responses of the Agent API. */
  readonly agentResponses: ResponseCache<AgentEvent, AgentResponse>
  /** Responses of `/v1/responses`. */
  readonly openAiResponses: ResponseCache<ResponsesEvent, ResponseObject>
  /** What ended streams may keep in memory. */
  readonly budget: ReplayBudget
  readonly hasKeys: boolean
  /** Ids of the runs whose decisions are being processed. */
  readonly deciding: Set<string>
  /** The requests that have begun runs. */
  readonly attempts: RunAttempts
  /** The messages that wait for the runs of their sessions. */
  readonly turns: SessionTurns
  readonly rules: ProtocolRules
  readonly limits: ServerLimits
  readonly profile: AgentProfile
  readonly keepAliveMs: number
  readonly readerTimeoutMs: number
  /** Metadata that goes into the journal of every run. */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /** Returns the context of a new run. */
  readonly contextOf: ((request: ContextRequest) => unknown) | undefined
  /** Whether agents that do not say so accept tools of clients. */
  readonly acceptClientTools: boolean
  readonly onError: (error: unknown, origin: ErrorOrigin) => void
  readonly clock: Clock
}
