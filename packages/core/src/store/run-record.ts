import type { Relation } from '../schema/entry.ts'
import type { Cost, Usage } from '../schema/usage.ts'

/** Status of a run. `running` and `suspended` runs are unfinished; all others have ended. */
export type RunStatus = 'running' | 'suspended' | 'completed' | 'limit' | 'cancelled' | 'rejected' | 'failed'

/** Summary of a run. A store keeps it current with the run's journal. */
export interface RunRecord {
  readonly runId: string
  readonly sessionId: string
  /** Partition of the store. Queries see the runs of one scope. */
  readonly scope: string
  /** Name of the agent that the run started with. */
  readonly agent: string
  /** Name of the model that the run started with, as `provider/id`. Absent for runs of earlier versions. */
  readonly model?: string | undefined
  /** How the run began: new, or from an earlier run. */
  readonly relation: Relation
  /** Id of the run that this run continues, branches from or repeats. Absent for a run that starts from nothing. */
  readonly parent?: string | undefined
  readonly status: RunStatus
  /** Beginning of the run's input, at most 200 characters in one line. Absent for a run without input, and for runs of earlier versions. */
  readonly preview?: string | undefined
  /** What the run and its child runs used. Absent until the run has ended. */
  readonly usage?: Usage | undefined
  /** Cost of that usage. Absent until the run has ended, and if no price is known. */
  readonly cost?: Cost | undefined
  /** Number of entries in the run's journal. */
  readonly seq: number
  /** Time of the first entry, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Time of the last entry, in milliseconds since the epoch. */
  readonly updatedAt: number
}
