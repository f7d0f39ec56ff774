import type { Principal } from '../schema/approval.ts'

/** Which run something belongs to. */
export interface RunFacts {
  readonly runId: string
  readonly sessionId: string
  /** Who answers now. A handoff changes it, also in the object that was given out. */
  readonly agent: string
  /** On whose behalf the run acts; undefined when nobody was named. */
  readonly principal?: Principal | undefined
  /** The partition of the store the run lives in. */
  readonly scope: string
  /** The directory its tools work in, as it was given; undefined when the tools have only their own. */
  readonly workspace?: string | undefined
  /** Run and call ids of the ancestors, outermost first; empty for a run of its own. */
  readonly path: readonly string[]
}
