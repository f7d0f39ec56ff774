import type { Limits } from '@parley/core'
import type { Workflow } from '../definition/workflow.ts'

const UNBOUNDED = Number.MAX_SAFE_INTEGER

/** For steps in a run of their own: what is around them bounds them. Each turn does a step more, so that turns need no bound. */
export const STEP_LIMITS: Limits = { maxTurns: UNBOUNDED, maxDurationMs: UNBOUNDED, maxTokens: UNBOUNDED }

/** A workflow's own bounds; tokens have one anyway where nothing is around it. */
export function limitsOf({ timeoutMs, maxTokens, maxCost }: Workflow, within: boolean): Limits {
  const tokens = maxTokens ?? (within ? UNBOUNDED : undefined)
  return { maxTurns: UNBOUNDED, maxDurationMs: timeoutMs ?? UNBOUNDED, maxTokens: tokens, maxCost }
}

/** Agents and tools at work at once, in a whole run. */
export function parallelLimitOf({ parallelLimit = 4 }: Workflow): number {
  return parallelLimit
}
