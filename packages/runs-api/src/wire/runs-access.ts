/**
 * What a client of the Runs API may do. Each level includes the levels before it.
 *
 * - `viewer` reads runs, approvals and reports.
 * - `operator` also starts, forks, reruns, steers, cancels and resumes runs, and decides approvals.
 * - `admin` also prunes runs, redrives and drops dead letters, records the outcome of unknown calls, and gives a run a `context`.
 */
export type RunsAccess = 'viewer' | 'operator' | 'admin'

/** What the server offers to this client: `GET /runs-api`. */
export interface RunsApiInfo {
  /** Version of the wire format. */
  readonly version: 1
  /** Name of the client's key. `anonymous` on a server without keys. */
  readonly client: string
  readonly access: RunsAccess
  /** Roles of the client, for approvals that require one. */
  readonly roles: readonly string[]
  /** The scope whose runs the client sees. */
  readonly scope: string
  /** Whether the server has agents that this client may start. */
  readonly canRun: boolean
  /** What the server's store has. A route whose part is missing answers with 501. */
  readonly store: StoreFeatures
}

/** Optional parts of the server's store. */
export interface StoreFeatures {
  /** Commands reach runs of other processes. */
  readonly inbox: boolean
  readonly prune: boolean
  /** `/usage` and `/workers`. */
  readonly reports: boolean
  readonly deadLetters: boolean
  /** Workflow definitions that were saved while the server runs. */
  readonly workflows: boolean
  /** Where the recorded outcomes of unknown calls are kept. */
  readonly notes: boolean
}
