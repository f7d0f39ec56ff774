import type { Limits } from '@parley/core'
import type { Workflow } from '../definition/workflow.ts'

const UNBOUNDED = Number.MAX_SAFE_INTEGER

/** Limits of a child run that executes steps. The limits of the root run apply to it, and each turn makes progress. */
export const STEP_LIMITS: Limits = {
  maxTurns: UNBOUNDED,
  maxDurationMs: UNBOUNDED,
  maxTokens: UNBOUNDED,
  maxDepth: UNBOUNDED,
}

/**
 * Returns the limits of a workflow's run. If the workflow has no `maxTokens`, the engine's default applies to a root
 * run.
 */
export function limitsOf({ limits = {} }: Workflow, within: boolean): Limits {
  const { maxCost, maxTokens, maxDurationMs = UNBOUNDED } = limits
  const tokens = maxTokens ?? (within ? UNBOUNDED : undefined)
  // The definition of a workflow says how deep its steps are.
  return {
    maxTurns: UNBOUNDED,
    maxDurationMs,
    maxTokens: tokens,
    maxDepth: UNBOUNDED,
    maxCost,
  }
}

/** Maximum number of concurrent agents and tools in a run with all its child runs. */
export function parallelLimitOf({ parallelLimit = 4 }: Workflow): number {
  return parallelLimit
}
