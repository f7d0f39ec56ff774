import { addCost, addUsage, totalTokens, ZERO_USAGE, type Cost, type Limits, type Usage } from '@parley/core'
import { DEFAULT_LIMITS } from '../journal/limits.ts'
import type { RunScope } from './run-scope.ts'
import type { ParentCall } from './parent-call.ts'

/**
 * The limits of a sub-agent's run as they stand now: its own, the handler's, and what is left of the caller's tokens,
 * cost and time after everything that was spent on the caller's behalf.
 */
export function shareLimits(own: Limits, child: RunScope, parent: ParentCall): Limits {
  const { usage, cost } = child.state
  return limitsWithin(own, { usage, cost, begunAt: begunAt(child) }, parent)
}

/** The same for a run that is about to begin. */
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
    maxCost: maxCost === Infinity ? undefined : maxCost,
  }
}

/** When a run would have begun that nobody had ever left alone. */
function begunAt({ state }: RunScope): number {
  return state.startedAt + state.idleMs
}

/** What a run has used so far, its sub-agents that still go on included. */
function spentBy(run: RunScope): { readonly usage: Usage; readonly cost: Cost | undefined } {
  let { usage, cost } = run.state
  for (const child of run.children?.values() ?? []) {
    const spent = spentBy(child)
    usage = addUsage(usage, spent.usage)
    cost = addCost(cost, spent.cost)
  }
  return { usage, cost }
}
