import type { ModelPricing } from './model.ts'
import type { Cost, Usage } from './schema/usage.ts'

export const ZERO_USAGE: Usage = Object.freeze({ input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 })

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

/** All tokens, each counted once. */
export function totalTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite
}

/** The share of all input that a cache served, from 0 to 1; 0 where there was no input. */
export function cacheHitRate({ input, cacheRead, cacheWrite }: Usage): number {
  const all = input + cacheRead + cacheWrite
  return all === 0 ? 0 : cacheRead / all
}

/** What `usage` costs at these prices. */
export function costOf(usage: Usage, pricing: ModelPricing): Cost {
  const { input, output, cacheRead = input, cacheWrite = input, date } = pricing
  const sum = usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite
  return { usd: sum / 1_000_000, pricedAt: date }
}

/** Both costs together, dated by the older price table; undefined when neither is known. */
export function addCost(a: Cost | undefined, b: Cost | undefined): Cost | undefined {
  if (a === undefined) return b
  if (b === undefined) return a
  return { usd: a.usd + b.usd, pricedAt: a.pricedAt < b.pricedAt ? a.pricedAt : b.pricedAt }
}
