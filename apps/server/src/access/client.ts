import type { Principal } from '@parley/core'
import type { RunsAccess } from '@parley/runs-api'
import type { RunAttempt } from '../state/run-attempt.ts'

/** The HTTP client that sent a request. */
export interface Client {
  readonly name: string
  /** The client reads, cancels and decides only runs of this scope. */
  readonly scope: string
  /** The user of the runs that the client starts. Missing on a server without keys. */
  readonly principal?: Principal | undefined
  /** What the client may do in the Runs API. @default nothing */
  readonly access?: RunsAccess | undefined
  /** Id of the request, for the log. */
  readonly requestId: string
}

/** A client, whichever request it sends. */
export type Identity = Omit<Client, 'requestId'>

/** Variables that the middleware sets for the routes. */
export interface ServerEnv {
  readonly Variables: {
    client: Client
    requestId: string
    /** Set by routes that begin runs. */
    attempt?: RunAttempt
  }
}
