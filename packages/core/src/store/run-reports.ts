import type { Usage } from '../schema/usage.ts'
import type { StoreCallOptions } from './store-call-options.ts'

/** What the rows of a usage report are split by. `day` is the day in UTC on which the runs ended. */
export type UsageField = 'agent' | 'model' | 'day'

/** Selects what a usage report counts: the runs of one scope that ended in a span of time. */
export interface UsageQuery {
  readonly scope: string
  /** Counts runs that ended at this time or later, in milliseconds since the epoch. @default all */
  readonly since?: number | undefined
  /** Counts runs that ended before this time, in milliseconds since the epoch. @default all */
  readonly until?: number | undefined
  /** Splits the totals. Without fields, one row has the total of all. @default [] */
  readonly by?: readonly UsageField[] | undefined
}

/** What the runs with the same agent, model and day used, as far as the report is split by these. Each run counts its own calls, without child runs. */
export interface UsageTotal {
  /** Name of the agent that the runs started with. */
  readonly agent?: string | undefined
  /** Name of the model, as `ModelUsage.model`. */
  readonly model?: string | undefined
  /** Day in UTC, as `YYYY-MM-DD`. */
  readonly day?: string | undefined
  /** Number of runs that called a model. */
  readonly runs: number
  /** Number of calls of models. */
  readonly calls: number
  readonly usage: Usage
  /** Cost in US dollars of the calls whose price is known. */
  readonly usd: number
}

/** A worker that holds claims of unfinished runs. */
export interface WorkerRecord {
  readonly worker: string
  /** End of its last heartbeat, in milliseconds since the epoch. 0 if it has sent none, or has released its claims. */
  readonly aliveUntil: number
  /** Number of running runs of the scope that it holds. */
  readonly runs: number
}

/** Totals over many runs. `describeStoreContract` of `@parley/testing/contract` tests every promise made here. */
export interface RunReports {
  /** Returns what ended runs used, as their entries `run.ended` tell: days newest first, then by agent and model. Runs that were pruned no longer count. */
  usage(query: UsageQuery, options?: StoreCallOptions): Promise<readonly UsageTotal[]>
  /** Returns the workers that hold running runs of a scope, by name. */
  workers(query: { readonly scope: string }, options?: StoreCallOptions): Promise<readonly WorkerRecord[]>
}
