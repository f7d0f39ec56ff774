import { totalTokens, type Limits } from '@parley/core'
import type { SpendingRun } from './delegations.ts'

/** What a run has spent, as far as limits are concerned. */
export interface Spent {
  readonly tokens: number
  readonly usd: number
}

/** A run whose limits depend on what its parent runs have spent. */
export interface LimitedRun {
  /** Returns the current limits. @param spent Sums of the same moment. */
  limitsWith(spent: SpentOfRuns): Limits
}

/**
 * What runs and their running child runs have spent. The limits of a run depend on those of all its parent runs, and the
 * sum of each contains the sum of the next, so each sum is kept. Valid until a run spends more.
 */
export class SpentOfRuns {
  readonly #known = new Map<SpendingRun, Spent>()

  of(run: SpendingRun): Spent {
    const known = this.#known.get(run)
    if (known !== undefined) return known
    const { running } = run.delegations
    let { tokens, usd } = ownSpent(run)
    for (const child of running?.values() ?? []) {
      // Most child runs have no running child runs, and a map of many entries costs more than their sums.
      const spent = (child.delegations.running?.size ?? 0) === 0 ? ownSpent(child) : this.of(child)
      tokens += spent.tokens
      usd += spent.usd
    }
    const spent = { tokens, usd }
    this.#known.set(run, spent)
    return spent
  }
}

/** Returns what a run has spent, without its child runs that are still running. */
function ownSpent({ state: { usage, cost } }: SpendingRun): Spent {
  return { tokens: totalTokens(usage), usd: cost?.usd ?? 0 }
}
