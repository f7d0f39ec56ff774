import type { Attributes } from '@opentelemetry/api'
import type { Usage } from '@parley/core'
import { ATTRIBUTE } from './attribute-names.ts'

/** Returns the input tokens with cached tokens, as the conventions count them. */
export function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite
}

/** Returns the attributes of a usage. */
export function usageAttributes(usage: Usage): Attributes {
  return {
    [ATTRIBUTE.inputTokens]: inputTokens(usage),
    [ATTRIBUTE.outputTokens]: usage.output,
    ...(usage.reasoning > 0 && { [ATTRIBUTE.reasoningTokens]: usage.reasoning }),
    ...(usage.cacheRead > 0 && { [ATTRIBUTE.cacheReadTokens]: usage.cacheRead }),
    ...(usage.cacheWrite > 0 && { [ATTRIBUTE.cacheWriteTokens]: usage.cacheWrite }),
  }
}
