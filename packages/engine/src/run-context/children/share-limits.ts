import { addCost, addUsage, totalTokens, ZERO_USAGE, type Cost, type Limits, type Usage } from '@parley/core'
import { DEFAULT_LIMITS } from '../../journal/limit-hit.ts'
import type { SpendingRun } from './delegations.ts'
import type { ParentCall } from './parent-call.ts'

/**
 * Returns the current limits of a child run: the smallest of its own, the handler's, and what is left of the parent
 * run's tokens, cost and time. What the parent run and all its child runs have spent is subtracted.
 */
export function shareLimits(own: Limits, child: SpendingRun, parent: ParentCall): Limits {
  const { usage, cost } = child.state
  return limitsWithin(own, { usage, cost, begunAt: begunAt(child) }, parent)
}

/** Returns the limits of a child run that has not begun yet, as `shareLimits` does for one that has. */
export function limitsAtStart(own: Limits, parent: ParentCall): Limits {
  return limitsWithin(own, { usage: ZERO_USAGE, cost: undefined, begunAt: parent.run.clock.now() }, parent)
}

interface Spender {
  readonly usage: Usage
  readonly cost: Cost | undefined
  readonly begunAt: number
}

function limitsWithin(own: Limits, { usage, cost, ...child }: Spender, parent: ParentCall): Limits {
  const { limits: given = {} } = parent
  const outer = parent.run.policy.limits
  const spent = spentBy(parent.run)
  const left = (max: number, all: number, mine: number): number => Math.max(0, max - all + mine)
  const deadline = begunAt(parent.run) + (outer.maxDurationMs ?? DEFAULT_LIMITS.maxDurationMs)
  const maxCost = Math.min(
    own.maxCost ?? Infinity,
    given.maxCost ?? Infinity,
    outer.maxCost === undefined ? Infinity : left(outer.maxCost, spent.cost?.usd ?? 0, cost?.usd ?? 0),
  )
  return {
    maxTurns: Math.min(own.maxTurns ?? DEFAULT_LIMITS.maxTurns, given.maxTurns ?? Infinity),
    maxTokens: Math.min(
      own.maxTokens ?? DEFAULT_LIMITS.maxTokens,
      given.maxTokens ?? Infinity,
      left(outer.maxTokens ?? DEFAULT_LIMITS.maxTokens, totalTokens(spent.usage), totalTokens(usage)),
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

/** Returns the usage and cost so far of a run and of its child runs that are still running. */
function spentBy(run: SpendingRun): { readonly usage: Usage; readonly cost: Cost | undefined } {
  let { usage, cost } = run.state
  for (const child of run.delegations.running?.values() ?? []) {
    const spent = spentBy(child)
    usage = addUsage(usage, spent.usage)
    cost = addCost(cost, spent.cost)
  }
  return { usage, cost }
}
