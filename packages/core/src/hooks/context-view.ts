import type { Message } from '../schema/message.ts'

/** The messages that the next model call would send. */
export interface ContextView {
  /** Number of messages. */
  readonly length: number
  /** The messages in groups, oldest first. */
  readonly groups: readonly MessageGroup[]
  /** All messages of the conversation, whether they are still sent or not. */
  readonly log: readonly MessageGroup[]
  /** Tokens of instructions and tools. */
  readonly fixedTokens: number
  /** The model's context window in tokens of input and output. `undefined` if it is unknown. */
  readonly window: number | undefined
  /**
   * Largest number of tokens that the whole request should have. Less than `window`, and `undefined` if `window` is
   * `undefined`.
   */
  readonly budget: number | undefined
  /** Returns the tokens of the whole request: the provider's last count plus an estimate of what is new. */
  tokens(): number
  /** Whether `tokens() > limit`. Faster, because it counts only if necessary. */
  exceeds(limit: number): boolean
  /** Estimates the tokens of these messages, corrected by the error of the last estimate. */
  count(messages: readonly Message[]): number
}

/** Messages that belong together: an answer with the results of its calls, or one other message. */
export interface MessageGroup {
  readonly messages: readonly Message[]
  /** Number of the session's runs between the group and now; 0 for the current run. @default 0 */
  readonly runsAgo?: number | undefined
}
