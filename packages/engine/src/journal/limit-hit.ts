import { totalTokens, type LimitHit, type Limits } from '@parley/core'
import type { RunState } from './run-state.ts'

/** Limits of a run whose agent sets none. */
export const DEFAULT_LIMITS = Object.freeze({
  maxTurns: 50,
  maxTokens: 1_000_000,
  maxDurationMs: 600_000,
  maxDepth: 10,
})

/** The first limit that the run has reached, if any. */
export function limitHit(state: RunState, limits: Limits): LimitHit | undefined {
  const {
    maxTurns = DEFAULT_LIMITS.maxTurns,
    maxTokens = DEFAULT_LIMITS.maxTokens,
    maxDurationMs = DEFAULT_LIMITS.maxDurationMs,
    maxCost,
  } = limits
  if (state.turn >= maxTurns) return { limit: 'turns', max: maxTurns, value: state.turn }
  const tokens = totalTokens(state.usage)
  if (tokens >= maxTokens) return { limit: 'tokens', max: maxTokens, value: tokens }
  const elapsed = state.at - state.startedAt - state.idleMs
  if (elapsed >= maxDurationMs) return { limit: 'duration', max: maxDurationMs, value: elapsed }
  const usd = state.cost?.usd ?? 0
  if (maxCost !== undefined && usd >= maxCost) return { limit: 'cost', max: maxCost, value: usd }
  return undefined
}
