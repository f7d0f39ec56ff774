import type { Usage } from '@parley/core'
import { countOf, fieldsOf } from '@parley/provider-kit'

/**
 * Converts token counts. Gemini's count of the prompt includes cached tokens, but not the results of Google's own
 * tools. Its count of the answer does not include thoughts. Returns `undefined` for unknown counts.
 */
export function fromGeminiUsage(usage: unknown): Usage | undefined {
  const fields = fieldsOf(usage) ?? {}
  const prompt = countOf(fields['promptTokenCount'])
  const toolUse = countOf(fields['toolUsePromptTokenCount'])
  const answer = countOf(fields['candidatesTokenCount'])
  const reasoning = countOf(fields['thoughtsTokenCount'])
  if ((prompt ?? toolUse ?? answer ?? reasoning) === undefined) return undefined
  const cacheRead = countOf(fields['cachedContentTokenCount']) ?? 0
  return {
    input: Math.max((prompt ?? 0) + (toolUse ?? 0) - cacheRead, 0),
    output: (answer ?? 0) + (reasoning ?? 0),
    reasoning: reasoning ?? 0,
    cacheRead,
    cacheWrite: 0,
  }
}
