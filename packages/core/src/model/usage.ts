import type { ModelPricing, TokenPrices } from './model-pricing.ts'
import type { Cost, Usage } from '../schema/usage.ts'

/** Usage before the first model call. */
export const ZERO_USAGE: Usage = Object.freeze({ input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 })

/** Adds two usages field by field. */
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

/** Returns the number of all tokens, each counted once: `reasoning` is part of `output`. */
export function totalTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite
}

/** Returns the share of input tokens that a cache served, from 0 to 1. 0 without input tokens. */
export function cacheHitRate({ input, cacheRead, cacheWrite }: Usage): number {
  const all = input + cacheRead + cacheWrite
  return all === 0 ? 0 : cacheRead / all
}

/** Computes the cost of one call. Pass the usage of a single call, because a price tier applies per call. */
export function costOf(usage: Usage, pricing: ModelPricing): Cost {
  const { input, output, cacheRead = input, cacheWrite = input, cacheWrite1h = cacheWrite } = pricesFor(usage, pricing)
  const hourWrites = usage.cacheWrite1h ?? 0
  const writeCost = (usage.cacheWrite - hourWrites) * cacheWrite + hourWrites * cacheWrite1h
  const sum = usage.input * input + usage.output * output + usage.cacheRead * cacheRead + writeCost
  const usd = sum / 1_000_000
  return pricing.date === undefined ? { usd } : { usd, pricedAt: pricing.date }
}

function pricesFor({ input, cacheRead, cacheWrite }: Usage, pricing: ModelPricing): TokenPrices {
  if (pricing.tiers === undefined) return pricing
  const length = input + cacheRead + cacheWrite
  const applicable = pricing.tiers.filter(tier => length > tier.aboveInput)
  return applicable.toSorted((a, b) => b.aboveInput - a.aboveInput)[0] ?? pricing
}

/** Adds two costs. The sum has the older date of the two price tables. `undefined` if neither cost is known. */
export function addCost(a: Cost | undefined, b: Cost | undefined): Cost | undefined {
  if (a === undefined) return b
  if (b === undefined) return a
  const usd = a.usd + b.usd
  const pricedAt = olderDate(a.pricedAt, b.pricedAt)
  return pricedAt === undefined ? { usd } : { usd, pricedAt }
}

function olderDate(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}
