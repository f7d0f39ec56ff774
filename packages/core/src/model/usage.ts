import type { ModelPricing, TokenPrices } from './model-pricing.ts'
import type { Cost, Usage } from '../schema/usage.ts'

export const ZERO_USAGE: Usage = Object.freeze({ input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 })

export function addUsage(a: Usage, b: Usage): Usage {
  const sum = {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
  if (a.cacheWrite1h === undefined && b.cacheWrite1h === undefined) return sum
  return { ...sum, cacheWrite1h: (a.cacheWrite1h ?? 0) + (b.cacheWrite1h ?? 0) }
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

/** What the `usage` of one call costs at these prices: which of them hold may depend on how long its input was. */
export function costOf(usage: Usage, pricing: ModelPricing): Cost {
  const { input, output, cacheRead = input, cacheWrite = input, cacheWrite1h = cacheWrite } = pricesFor(usage, pricing)
  const forAnHour = usage.cacheWrite1h ?? 0
  const written = (usage.cacheWrite - forAnHour) * cacheWrite + forAnHour * cacheWrite1h
  const sum = usage.input * input + usage.output * output + usage.cacheRead * cacheRead + written
  return { usd: sum / 1_000_000, pricedAt: pricing.date }
}

function pricesFor({ input, cacheRead, cacheWrite }: Usage, pricing: ModelPricing): TokenPrices {
  if (pricing.tiers === undefined) return pricing
  const length = input + cacheRead + cacheWrite
  const reached = pricing.tiers.filter(tier => length > tier.aboveInput)
  return reached.toSorted((a, b) => b.aboveInput - a.aboveInput)[0] ?? pricing
}

/** Both costs together, dated by the older price table; undefined when neither is known. */
export function addCost(a: Cost | undefined, b: Cost | undefined): Cost | undefined {
  if (a === undefined) return b
  if (b === undefined) return a
  return { usd: a.usd + b.usd, pricedAt: a.pricedAt < b.pricedAt ? a.pricedAt : b.pricedAt }
}
