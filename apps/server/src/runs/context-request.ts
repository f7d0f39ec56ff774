import type { Principal } from '@parley/core'

/** The facts from which a server chooses the context of a run. */
export interface ContextRequest {
  /** Name of the key or subject of the token. `anonymous` on a server without keys and tokens. */
  readonly client: string
  readonly scope: string
  /** The user that the key or token identifies. Missing on a server without keys and tokens. */
  readonly principal?: Principal | undefined
  /** Name of the agent that answers. */
  readonly agent: string
  /** The field `context` of an Agent API request, as its client sent it. Missing in other protocols. */
  readonly given?: unknown
}
