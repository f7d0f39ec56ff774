import type { Relation } from '../schema/entry.ts'

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
  /** How the run began: new, or from an earlier run. */
  readonly relation: Relation
  /** Id of the run that this run continues, branches from or repeats. Absent for a run that starts from nothing. */
  readonly parent?: string | undefined
  readonly status: RunStatus
  /** Number of entries in the run's journal. */
  readonly seq: number
  /** Time of the first entry, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Time of the last entry, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/** Selects runs of one scope. A run matches if it matches every given field. */
export interface RunQuery {
  readonly scope: string
  readonly sessionId?: string | undefined
  readonly status?: RunStatus | undefined
  /** Name of the agent that the run started with. */
  readonly agent?: string | undefined
  readonly relation?: Relation | undefined
  /** Id of the run that the wanted runs continue, branch from or repeat. */
  readonly parent?: string | undefined
  /** Largest number of records in the result. @default 100 */
  readonly limit?: number | undefined
}

/** Selects the ended runs that `Store.prune` removes. */
export interface PruneQuery {
  readonly scope: string
  /** Removes runs whose last entry is older than this time, in milliseconds since the epoch, exclusive. */
  readonly before: number
  /** Limits the removal to this run. @default every run of the scope */
  readonly runId?: string | undefined
}
