import type { CompactionRequest, Message, Model } from '@parley/core'

/** Puts messages that will not be sent any more into a text that takes their place. A throw drops them without one. */
export type Summarizer = (request: SummaryRequest) => string | Promise<string>

export interface SummaryRequest extends Pick<CompactionRequest, 'ask' | 'count' | 'signal'> {
  /** Whole groups, oldest first; the first one may be the summary before. */
  readonly messages: readonly Message[]
  /** How long the summary may be. A longer one is cut. */
  readonly maxTokens: number
  /** What matters most, in the words of whoever configured the policy. */
  readonly focus: string | undefined
  /** The agent's. */
  readonly model: Model
  /** Tokens `model` takes for input and output, as the agent says or the model; undefined when it is unknown. */
  readonly window: number | undefined
}
