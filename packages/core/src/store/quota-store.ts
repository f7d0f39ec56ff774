import type { StoreCallOptions } from './store-call-options.ts'

/** Identifies one total of a quota: its owner, and one time window of one scope. */
export interface QuotaKey {
  readonly scope: string
  /** Owner of the quota: `runtime`, or `agents.` and the agent's name; with the run's key, if the quota has keys. */
  readonly owner: string
  /** Start of the window, in milliseconds since the epoch. 0 for a quota without a window. */
  readonly since: number
  /** End of the window, exclusive. `Number.MAX_SAFE_INTEGER` for a quota without a window. */
  readonly until: number
}

/** The number of runs, the tokens and the cost that count for a total. */
export interface QuotaTotal {
  readonly runs: number
  readonly tokens: number
  /** Cost in US dollars. */
  readonly cost: number
}

/** What the entries of an append add to one total. */
export interface QuotaCount extends QuotaKey, QuotaTotal {
  /** Largest number of runs in the total after the append. @default unlimited */
  readonly maxRuns?: number | undefined
}

/**
 * Keeps the totals of quotas. `JournalAppend.counts` adds to them, in the same transaction as the entries, so that a
 * crash neither loses nor repeats a count. `Store.prune` removes the totals of windows that ended before `before`.
 * `describeStoreContract` of `@parley/testing/contract` tests every promise made here.
 */
export interface QuotaStore {
  /** Returns the total of each key, in their order. The total of an unknown key is 0. */
  totals(keys: readonly QuotaKey[], options?: StoreCallOptions): Promise<readonly QuotaTotal[]>
}
