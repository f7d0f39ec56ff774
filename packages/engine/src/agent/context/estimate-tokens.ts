import type { Message, TokenCounter } from '@parley/core'
import { defaultTokenCounter, loadTokenizer } from './default-token-counter.ts'

/**
 * Estimates the tokens of a text or of messages, as the engine does for context policies. The default counter has no
 * vocabulary: its numbers are within a few percent of a real tokenizer for prose, code and most languages.
 * @param counter @default the engine's estimate
 */
export async function estimateTokens(
  content: string | readonly Message[],
  counter: TokenCounter = defaultTokenCounter,
): Promise<number> {
  if (counter === defaultTokenCounter) await loadTokenizer()
  if (typeof content === 'string') return counter.countText(content)
  return content.reduce((sum, message) => sum + counter.count(message), 0)
}
