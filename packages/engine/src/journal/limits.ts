import { ParleyError, totalTokens, type LimitHit, type Limits } from '@parley/core'
import type { RunState } from './run-state.ts'

export const DEFAULT_LIMITS = Object.freeze({ maxTurns: 50, maxTokens: 1_000_000, maxDurationMs: 600_000 })

/** The first limit the run has met, if any. */
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

/** What the transcript says about a run that met a limit. */
export function limitNote({ limit, max, value }: LimitHit): string {
  const reached = {
    turns: `Max turns reached (${value}/${max})`,
    tokens: `Max tokens reached (${value}/${max})`,
    duration: `Max duration reached (${Math.round(value / 1000)}s/${Math.round(max / 1000)}s)`,
    cost: `Max cost reached ($${value.toFixed(4)}/$${max.toFixed(4)})`,
  }
  return `[Agent stopped: ${reached[limit]}]`
}

/** @throws ParleyError `config-invalid` for a limit that is no number above 0. */
export function checkLimits(limits: Limits, path: string): void {
  for (const [field, value] of Object.entries(limits)) {
    if (!(field in DEFAULT_LIMITS) && field !== 'maxCost') {
      throw new ParleyError({ code: 'config-invalid', path: `${path}.${field}`, detail: 'is no limit' })
    }
    if (value !== undefined && !(typeof value === 'number' && value > 0)) {
      throw new ParleyError({
        code: 'config-invalid',
        path: `${path}.${field}`,
        detail: `is ${value}, it must be above 0`,
      })
    }
  }
}
