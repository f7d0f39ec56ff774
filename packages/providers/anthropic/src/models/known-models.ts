import type { ModelInfo, ModelPricing, TokenPrices } from '@parley/core'
import type { AnthropicPlatform } from '../platform/anthropic-platform.ts'

// List prices, taken from two independent tables of that month.
const READ = { source: 'platform.claude.com/docs/en/about-claude/pricing', date: '2026-10-24' } as const

/**
 * Returns the prices of a model. A cache write costs 1.25 times the input price, or twice the input price if it is kept
 * for an hour.
 */
function prices(input: number, output: number, cacheRead: number): TokenPrices {
  return { input, output, cacheRead, cacheWrite: input * 1.25, cacheWrite1h: input * 2 }
}

function price(input: number, output: number, cacheRead: number): ModelPricing {
  return { ...prices(input, output, cacheRead), ...READ }
}

const schema = { structuredOutput: 'schema' } as const
const large = { ...schema, contextWindow: 1_000_000, maxOutputTokens: 128_000 }
const small = { ...schema, contextWindow: 200_000, maxOutputTokens: 64_000 }

const opus5 = { ...large, pricing: price(5, 25, 0.5) }
const opus45 = { ...small, pricing: price(5, 25, 0.5) }
const sonnet45 = { ...small, pricing: price(3, 15, 0.3) }
const haiku45 = { ...small, pricing: price(1, 5, 0.1) }

/** Prices of Claude Haiku 5.5. Prompts above 100,000 tokens cost five times as much. */
const haiku55 = { ...price(0.1, 0.5, 0.01), tiers: [{ aboveInput: 100_000, ...prices(0.5, 2.5, 0.05) }] }

/** Facts about Anthropic's models. A model that is not listed works too; its facts are unknown. */
export const knownModels: Readonly<Record<string, ModelInfo>> = {
  'claude-fable-5-1': { ...large, pricing: price(10, 50, 0.25) },
  'claude-fable-5': { ...large, pricing: price(10, 50, 1) },
  'claude-opus-5-5': { ...large, pricing: price(4, 20, 0.2) },
  'claude-opus-5': opus5,
  'claude-opus-4-8': opus5,
  'claude-opus-4-7': opus5,
  'claude-opus-4-6': opus5,
  'claude-opus-4-5': opus45,
  'claude-opus-4-5-20251101': opus45,
  'claude-sonnet-5-5': { ...large, pricing: price(2, 10, 0.1) },
  'claude-sonnet-5': { ...large, pricing: price(2, 10, 0.2) },
  'claude-sonnet-4-6': { ...schema, contextWindow: 1_000_000, maxOutputTokens: 64_000, pricing: price(3, 15, 0.3) },
  'claude-sonnet-4-5': sonnet45,
  'claude-sonnet-4-5-20250929': sonnet45,
  'claude-haiku-5-5': { ...large, pricing: haiku55 },
  'claude-haiku-4-5': haiku45,
  'claude-haiku-4-5-20251001': haiku45,
}

/** Returns the built-in facts about a model, also for ids in the form of a platform. The prices of platforms are unknown. */
export function infoOfModel(id: string, platform: AnthropicPlatform | undefined): ModelInfo {
  if (platform === undefined) return knownModels[id] ?? {}
  const { pricing: _, ...info } = knownModels[plainIdOf(id)] ?? {}
  return info
}

/**
 * Returns Anthropic's own id for the id of a platform: `claude-sonnet-4-5-20250929` for
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and for `claude-sonnet-4-5@20250929`.
 */
function plainIdOf(id: string): string {
  return id
    .replace(/^.*anthropic\./, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace('@', '-')
}
