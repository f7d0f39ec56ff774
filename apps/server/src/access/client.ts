import type { Principal } from '@parley/core'

/** The HTTP client that sent a request. */
export interface Client {
  readonly name: string
  /** The client reads, cancels and decides only runs of this scope. */
  readonly scope: string
  /** The user of the runs that the client starts. Missing on a server without keys. */
  readonly principal?: Principal | undefined
}

/** Variables that the middleware sets for the routes. */
export interface ServerEnv {
  readonly Variables: { client: Client; requestId: string }
}
