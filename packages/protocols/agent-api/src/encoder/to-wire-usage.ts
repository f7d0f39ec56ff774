import type { Cost, Usage } from '@parley/core'
import type { JsonObject } from '../schema/json-object.ts'

/** Turns usage into the protocol's shape. `input_tokens` includes cached tokens. */
export function toWireUsage(usage: Usage, cost?: Cost): JsonObject {
  const { input, output, reasoning, cacheRead, cacheWrite } = usage
  const inputTokens = input + cacheRead + cacheWrite
  return {
    input_tokens: inputTokens,
    output_tokens: output,
    total_tokens: inputTokens + output,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens_details: { reasoning_tokens: reasoning },
    ...(cost === undefined ? {} : { cost_usd: cost.usd }),
  }
}
