/** Which run something belongs to. */
export interface RunFacts {
  readonly runId: string
  readonly sessionId: string
  readonly agent: string
  /** The partition of the store the run lives in. */
  readonly scope: string
  /** Run and call ids of the ancestors, outermost first; empty for a run of its own. */
  readonly path: readonly string[]
}
