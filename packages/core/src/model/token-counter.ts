import type { Message } from '../schema/message.ts'

/** Counts tokens as a model would. Every method is synchronous and deterministic. */
export interface TokenCounter {
  countText(text: string): number
  /** Counts a whole message: text, calls, results, files, and what the provider's request format adds to each. */
  count(message: Message): number
  /** Returns an upper bound of `count` without counting, so that the caller can skip the count of small messages. */
  bound?(message: Message): number
}
