import type { Usage } from '@parley/core'

type Fields = Readonly<Record<string, unknown>>

/** xAI's unit. */
const USD_TICKS = 1e10

/**
 * Token counts in the runtime's form: `input` without what a cache served or stored, `output` with reasoning.
 * Undefined when there are none: an unknown count is not zero.
 */
export function fromChatUsage(usage: unknown): Usage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const fields = usage as Fields
  const prompt = count(fields['prompt_tokens'])
  const completion = count(fields['completion_tokens'])
  if (prompt === undefined && completion === undefined) return undefined
  const given = fieldsOf(fields['prompt_tokens_details'])
  const cacheRead =
    count(given['cached_tokens']) ?? count(fields['prompt_cache_hit_tokens']) ?? count(fields['cached_tokens']) ?? 0
  const cacheWrite =
    count(given['cache_write_tokens']) ??
    count(given['cache_creation_tokens']) ??
    count(fields['cache_creation_input_tokens']) ??
    0
  const reasoning =
    count(fieldsOf(fields['completion_tokens_details'])['reasoning_tokens']) ?? count(fields['reasoning_tokens']) ?? 0
  return {
    input: Math.max((prompt ?? 0) - cacheRead - cacheWrite, 0),
    output: outputOf({
      prompt: prompt ?? 0,
      completion: completion ?? 0,
      reasoning,
      total: count(fields['total_tokens']),
    }),
    reasoning,
    cacheRead,
    cacheWrite,
  }
}

/** What the server says the call costs, in US dollars: OpenRouter and Vercel, Perplexity with its parts, xAI in ticks. */
export function chargedBy(usage: unknown): { readonly costUsd?: number } {
  const { cost, cost_in_usd_ticks: ticks } = fieldsOf(usage)
  const inTicks = amount(ticks)
  const costUsd =
    amount(cost) ?? amount(fieldsOf(cost)['total_cost']) ?? (inTicks === undefined ? undefined : inTicks / USD_TICKS)
  return costUsd === undefined ? {} : { costUsd }
}

/** Some servers (xAI, gateways to Gemini) count reasoning beside the completion instead of inside it. */
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
  const isBeside = reasoning > 0 && (reasoning > completion || total === prompt + completion + reasoning)
  return isBeside ? completion + reasoning : completion
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
