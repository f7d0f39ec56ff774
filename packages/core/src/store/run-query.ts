import type { Relation } from '../schema/entry.ts'
import type { RunRecord, RunStatus } from './run-record.ts'

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
  /** Leaves out child runs: those with the relation `sub-agent`. @default false */
  readonly roots?: boolean | undefined
  /** Selects runs that started at this time or later, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Selects runs that started before this time, in milliseconds since the epoch. */
  readonly until?: number | undefined
  /** Selects runs whose preview has each of these words, as `searchWords` finds them. A text without words does not limit the list. */
  readonly text?: string | undefined
  /** Selects the runs that the list shows after this one: the next page. */
  readonly after?: Pick<RunRecord, 'startedAt' | 'runId'> | undefined
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
