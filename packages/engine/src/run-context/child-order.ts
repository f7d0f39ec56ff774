import type { Json, Principal, UserMessage } from '@parley/core'
import type { Caller } from './caller.ts'

/** A sub-agent's run as a host is to have it begun: what `Runtime.run` is given. Plain data. */
export interface ChildOrder {
  readonly runId: string
  /** One the runtime knows by name. */
  readonly agent: string
  readonly input: string | UserMessage
  readonly sessionId: string
  readonly scope: string
  readonly caller: Caller
  readonly principal?: Principal | undefined
  readonly variables?: Readonly<Record<string, Json>> | undefined
  readonly workspace?: string | undefined
}
