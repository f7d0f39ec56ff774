import type { Message } from '../schema/message.ts'

/** Says how many tokens a model makes of something. Synchronous, and the same answer for the same input. */
export interface TokenCounter {
  countText(text: string): number
  /** The whole message: calls, results, files and what the provider's wire adds to each. */
  count(message: Message): number
  /** A number `count` never exceeds, found without counting: lets what plainly fits go uncounted. */
  bound?(message: Message): number
}
