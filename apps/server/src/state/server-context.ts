import type { AgentEvent, AgentProfile, AgentResponse } from '@parley/agent-api'
import type { Clock, Json, Store } from '@parley/core'
import type { ResponseObject, ResponsesEvent } from '@parley/encoders/openai-responses'
import type { Runtime } from '@parley/engine'
import type { ServerLimits } from '../limits/server-limits.ts'
import type { AgentDirectory } from './agent-directory.ts'
import type { LiveRuns } from './live-runs.ts'
import type { ResponseCache } from './response-cache.ts'

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
  readonly hasKeys: boolean
  /** Ids of the runs whose decisions are being processed. */
  readonly deciding: Set<string>
  readonly limits: ServerLimits
  readonly profile: AgentProfile
  readonly keepAliveMs: number
  /** Metadata that goes into the journal of every run. */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  readonly clock: Clock
}
