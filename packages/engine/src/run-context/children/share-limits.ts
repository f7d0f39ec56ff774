import type { Limits } from '@parley/core'
import { DEFAULT_LIMITS } from '../../journal/limit-hit.ts'
import type { SpendingRun } from './delegations.ts'
import type { ParentCall } from './parent-call.ts'
import { SpentOfRuns, type Spent } from './spent-of-runs.ts'

/**
 * Returns the current limits of a child run: the smallest of its own, the handler's, and what is left of the parent
 * run's tokens, cost and time. What the parent run and all its other child runs have spent is subtracted. What runs below
 * the child run have spent is not: the limits of those runs subtract it.
 */
export function shareLimits(own: Limits, { child, spent = new SpentOfRuns() }: SharingRun, parent: ParentCall): Limits {
  return limitsWithin(own, { ...spent.of(child), begunAt: begunAt(child), spent }, parent)
}

/** Returns the limits of a child run that has not begun yet, as `shareLimits` does for one that has. */
export function limitsAtStart(own: Limits, parent: ParentCall): Limits {
  return limitsWithin(own, { tokens: 0, usd: 0, begunAt: parent.run.clock.now(), spent: new SpentOfRuns() }, parent)
}

interface SharingRun {
  readonly child: SpendingRun
  /** Sums that this call and those for the parent runs share. @default new ones */
  readonly spent?: SpentOfRuns | undefined
}

interface Spender extends Spent {
  readonly begunAt: number
  readonly spent: SpentOfRuns
}

function limitsWithin(own: Limits, child: Spender, parent: ParentCall): Limits {
  const { limits: given = {} } = parent
  const outer = parent.run.limited.limitsWith(child.spent)
  const all = child.spent.of(parent.run)
  const left = (max: number, field: keyof Spent): number => Math.max(0, max - all[field] + child[field])
  const deadline = begunAt(parent.run) + (outer.maxDurationMs ?? DEFAULT_LIMITS.maxDurationMs)
  const maxCost = Math.min(
    own.maxCost ?? Infinity,
    given.maxCost ?? Infinity,
    outer.maxCost === undefined ? Infinity : left(outer.maxCost, 'usd'),
  )
  return {
    maxTurns: Math.min(own.maxTurns ?? DEFAULT_LIMITS.maxTurns, given.maxTurns ?? Infinity),
    maxTokens: Math.min(
      own.maxTokens ?? DEFAULT_LIMITS.maxTokens,
      given.maxTokens ?? Infinity,
      left(outer.maxTokens ?? DEFAULT_LIMITS.maxTokens, 'tokens'),
    ),
    maxDurationMs: Math.min(
      own.maxDurationMs ?? DEFAULT_LIMITS.maxDurationMs,
      given.maxDurationMs ?? Infinity,
      Math.max(0, deadline - child.begunAt),
    ),
    maxDepth: Math.min(
      own.maxDepth ?? DEFAULT_LIMITS.maxDepth,
      given.maxDepth ?? Infinity,
      (outer.maxDepth ?? DEFAULT_LIMITS.maxDepth) - 1,
    ),
    maxCost: maxCost === Infinity ? undefined : maxCost,
  }
}

/**
 * Returns the start time of the run, shifted by its idle time, so that duration limits ignore the time a run spends
 * suspended.
 */
function begunAt({ state }: SpendingRun): number {
  return state.startedAt + state.idleMs
}
