import type { Usage } from '@parley/core'
import { countOf, fieldsOf, listOf, type Fields } from '@parley/provider-kit'

/**
 * Converts token counts; `undefined` for unknown counts. The API's totals exclude a pass that compacted the conversation, but
 * the pass is billed, so its tokens are added.
 */
export function fromMessagesUsage(usage: Fields): Usage | undefined {
  if (countOf(usage['input_tokens']) === undefined && countOf(usage['output_tokens']) === undefined) return undefined
  const passes = listOf(usage['iterations'])
    .map(pass => fieldsOf(pass) ?? {})
    .filter(pass => pass['type'] === 'compaction')
  const sum = (name: string): number =>
    [usage, ...passes].reduce((total, fields) => total + (countOf(fields[name]) ?? 0), 0)
  const keptForAnHour = [usage, ...passes].reduce(
    (total, { cache_creation: written }) => total + (countOf(fieldsOf(written)?.['ephemeral_1h_input_tokens']) ?? 0),
    0,
  )
  const cacheWrite = sum('cache_creation_input_tokens')
  return {
    input: sum('input_tokens'),
    output: sum('output_tokens'),
    reasoning: countOf(fieldsOf(usage['output_tokens_details'])?.['thinking_tokens']) ?? 0,
    cacheRead: sum('cache_read_input_tokens'),
    cacheWrite,
    ...(keptForAnHour === 0 ? {} : { cacheWrite1h: Math.min(keptForAnHour, cacheWrite) }),
  }
}
