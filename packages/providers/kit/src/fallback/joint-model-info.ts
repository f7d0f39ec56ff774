import type { Model, ModelInfo, ModelPricing, TokenPrices } from '@parley/core'

/**
 * Returns the facts that apply to every model: the smallest limits and the abilities that all models have. Prices are
 * included only if all models have the same prices. A fact that is unknown for one model is unknown for all.
 */
export function jointModelInfo(models: readonly Model[]): ModelInfo {
  const infos = models.map(({ info }) => info)
  const contextWindow = smallest(infos.map(info => info.contextWindow))
  const maxOutputTokens = smallest(infos.map(info => info.maxOutputTokens))
  const pricing = infos[0]?.pricing
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...structuredOutputOf(infos),
    ...(infos.some(({ toolCalls }) => toolCalls === false) ? { toolCalls: false } : {}),
    ...(pricing !== undefined && infos.every(info => isSamePrice(info.pricing, pricing)) ? { pricing } : {}),
  }
}

function structuredOutputOf(infos: readonly ModelInfo[]): ModelInfo {
  const weakest = (['none', undefined, 'json', 'schema'] as const).find(ability =>
    infos.some(({ structuredOutput }) => structuredOutput === ability),
  )
  if (weakest === undefined) return {}
  const apart = infos.some(({ structuredOutputWithTools }) => structuredOutputWithTools === false)
  return { structuredOutput: weakest, ...(apart ? { structuredOutputWithTools: false } : {}) }
}

function smallest(limits: readonly (number | undefined)[]): number | undefined {
  const known = limits.filter(limit => limit !== undefined)
  return known.length === limits.length ? Math.min(...known) : undefined
}

function isSamePrice(a: ModelPricing | undefined, b: ModelPricing): boolean {
  return a !== undefined && figuresOf(a) === figuresOf(b)
}

/** Returns the prices of a pricing, without its source and date. */
function figuresOf({ tiers = [], ...prices }: ModelPricing): string {
  const rows = tiers.toSorted((a, b) => a.aboveInput - b.aboveInput).map(tier => [tier.aboveInput, ...rowOf(tier)])
  return JSON.stringify([rowOf(prices), rows])
}

function rowOf({ input, output, cacheRead, cacheWrite, cacheWrite1h }: TokenPrices): readonly unknown[] {
  return [input, output, cacheRead, cacheWrite, cacheWrite1h]
}
