import type { Limits } from '@parley/core'
import type { Workflow } from '../definition/workflow.ts'

const UNBOUNDED = Number.MAX_SAFE_INTEGER

/** Limits of a child run that executes steps. The limits of the root run apply to it, and each turn makes progress. */
export const STEP_LIMITS: Limits = { maxTurns: UNBOUNDED, maxDurationMs: UNBOUNDED, maxTokens: UNBOUNDED }

/** Limits of a workflow's run. Without a parent run, the engine's default token limit applies. */
export function limitsOf({ timeoutMs, maxTokens, maxCost }: Workflow, within: boolean): Limits {
  const tokens = maxTokens ?? (within ? UNBOUNDED : undefined)
  return { maxTurns: UNBOUNDED, maxDurationMs: timeoutMs ?? UNBOUNDED, maxTokens: tokens, maxCost }
}

/** Maximum number of concurrent agents and tools in a run with all its child runs. */
export function parallelLimitOf({ parallelLimit = 4 }: Workflow): number {
  return parallelLimit
}
