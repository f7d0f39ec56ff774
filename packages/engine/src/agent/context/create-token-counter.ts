import { sumTexts, type Message, type TokenCounter } from '@parley/core'

/**
 * Makes a counter of messages from a counter of texts, such as a tokenizer. Tool calls, results, reasoning and files count
 * too. `charsPerToken` is the smallest number of characters that one token can have. With it, texts that clearly fit are
 * not counted.
 */
export function createTokenCounter(
  countText: (text: string) => number,
  { charsPerToken }: { readonly charsPerToken?: number | undefined } = {},
): TokenCounter {
  const count = (message: Message): number => sumTexts(message, countText)
  if (charsPerToken === undefined) return { countText, count }
  const bound = (text: string): number => Math.ceil(text.length / charsPerToken)
  return { countText, count, bound: message => sumTexts(message, bound) }
}
