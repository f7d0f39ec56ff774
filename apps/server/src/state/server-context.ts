import type { AgentEvent, AgentProfile, AgentResponse } from '@parley/agent-api'
import type { Clock, Json, Store } from '@parley/core'
import type { ResponseObject, ResponsesEvent } from '@parley/encoders/openai-responses'
import type { Runtime } from '@parley/engine'
import type { AgentDirectory } from './agent-directory.ts'
import type { LiveRuns } from './live-runs.ts'
import type { ResponseShelf } from './response-cache.ts'
import type { ServerLimits } from '../limits/server-limits.ts'

/** What the routes of one server share. */
export interface ServerContext {
  readonly runtime: Runtime
  readonly store: Store
  readonly agents: AgentDirectory
  readonly live: LiveRuns
  /** Responses of the Agent API. */
  readonly shelf: ResponseShelf<AgentEvent, AgentResponse>
  /** Those of `/v1/responses`. */
  readonly openAiShelf: ResponseShelf<ResponsesEvent, ResponseObject>
  readonly hasKeys: boolean
  /** Runs whose decisions are being taken. */
  readonly deciding: Set<string>
  readonly limits: ServerLimits
  readonly profile: AgentProfile
  readonly keepAliveMs: number
  /** Kept in the journal of every run. */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  readonly clock: Clock
}
