import type { Usage } from '@parley/core'
import { countOf, fieldsOf } from '@parley/provider-kit'

/** Number of ticks in one US dollar. xAI states costs in ticks. */
const USD_TICKS = 1e10

/**
 * Converts token counts. `input` excludes tokens read from or written to a cache; `output` includes reasoning. `undefined` if
 * the server sent no counts, because an unknown count is not zero.
 */
export function fromChatUsage(usage: unknown): Usage | undefined {
  const fields = fieldsOf(usage) ?? {}
  const prompt = countOf(fields['prompt_tokens'])
  const completion = countOf(fields['completion_tokens'])
  if (prompt === undefined && completion === undefined) return undefined
  const given = fieldsOf(fields['prompt_tokens_details']) ?? {}
  const cacheRead =
    countOf(given['cached_tokens']) ??
    countOf(fields['prompt_cache_hit_tokens']) ??
    countOf(fields['cached_tokens']) ??
    0
  const cacheWrite =
    countOf(given['cache_write_tokens']) ??
    countOf(given['cache_creation_tokens']) ??
    countOf(fields['cache_creation_input_tokens']) ??
    0
  const reasoning =
    countOf(fieldsOf(fields['completion_tokens_details'])?.['reasoning_tokens']) ??
    countOf(fields['reasoning_tokens']) ??
    0
  return {
    input: Math.max((prompt ?? 0) - cacheRead - cacheWrite, 0),
    output: outputOf({
      prompt: prompt ?? 0,
      completion: completion ?? 0,
      reasoning,
      total: countOf(fields['total_tokens']),
    }),
    reasoning,
    cacheRead,
    cacheWrite,
  }
}

/**
 * Reads the cost of a call in US dollars. OpenRouter and Vercel send a number, Perplexity sends an object, and xAI
 * sends a number of ticks.
 */
export function chargedBy(usage: unknown): { readonly costUsd?: number } {
  const { cost, cost_in_usd_ticks: ticks } = fieldsOf(usage) ?? {}
  const inTicks = amount(ticks)
  const costUsd =
    amount(cost) ?? amount(fieldsOf(cost)?.['total_cost']) ?? (inTicks === undefined ? undefined : inTicks / USD_TICKS)
  return costUsd === undefined ? {} : { costUsd }
}

/**
 * Returns the number of output tokens. Adds the reasoning tokens for servers that count them separately, such as xAI
 * and gateways to Gemini.
 */
function outputOf({
  prompt,
  completion,
  reasoning,
  total,
}: {
  readonly prompt: number
  readonly completion: number
  readonly reasoning: number
  readonly total: number | undefined
}): number {
  const isSeparate = reasoning > 0 && (reasoning > completion || total === prompt + completion + reasoning)
  return isSeparate ? completion + reasoning : completion
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
