/** A worker's request to become the only writer of a run. */
export interface ClaimRequest {
  readonly runId: string
  /** Id of the worker that claims the run. */
  readonly worker: string
  /** Time of the claim, in milliseconds since the epoch. */
  readonly at: number
  /** Takes the run even from a live worker. The next append of that worker is rejected with `store-fenced`. @default false */
  readonly force?: boolean | undefined
}

/**
 * Outcome of a claim: the fence that the worker's appends must carry, or the live worker that holds the run. `aliveUntil` is the end
 * of that worker's last heartbeat, in milliseconds since the epoch; absent if the store has none.
 */
export type Claim =
  | { readonly granted: true; readonly fence: number }
  | { readonly granted: false; readonly worker: string; readonly aliveUntil?: number | undefined }

/** A sign of life of a worker. It extends every claim of the worker. */
export interface Heartbeat {
  readonly worker: string
  /** Time of the heartbeat, in milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds after `at` for which the worker counts as live, exclusive. 0 releases every claim of the worker. */
  readonly ttlMs: number
}
