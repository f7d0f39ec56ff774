import type { CompactionRequest, Message, Model } from '@parley/core'

/**
 * Writes a summary of messages that are no longer sent to the model. If it throws, the engine drops the oldest messages
 * instead.
 */
export type Summarizer = (request: SummaryRequest) => string | Promise<string>

export interface SummaryRequest extends Pick<CompactionRequest, 'ask' | 'count' | 'signal'> {
  /** Whole groups, oldest first. The first message may be the previous summary. */
  readonly messages: readonly Message[]
  /** Largest number of tokens in the summary. A longer summary is cut. */
  readonly maxTokens: number
  /** Subject that the summary should describe in most detail, as configured in the policy. */
  readonly focus: string | undefined
  /** The agent's model. */
  readonly model: Model
  /** Context window of `model` in tokens, for input and output together. `undefined` if it is unknown. */
  readonly window: number | undefined
}
