import type { Model, ModelRequest } from '../model/model.ts'
import type { AssistantMessage, Message } from '../schema/message.ts'

/**
 * Decides what of a long conversation a model is still sent. The run's log keeps everything: what a policy decides is
 * laid over it, recorded as `context.compacted`, and holds until the next time.
 */
export interface ContextPolicy {
  readonly name: string
  /** Whether to compact before the next call. Asked before every one, so it has to be quick. */
  due(view: ContextView): boolean
  /**
   * What is sent from now on; undefined when nothing can be gained. When it throws, or splits a call from its result,
   * the oldest groups are dropped instead and the entry says why; when somebody asked for it, the run fails instead.
   */
  compact(request: CompactionRequest): Compaction | undefined | Promise<Compaction | undefined>
}

/** What the next call would send. */
export interface ContextView {
  /** Number of messages. */
  readonly length: number
  /** The messages, oldest first. */
  readonly groups: readonly MessageGroup[]
  /** Everything that was ever said, whether it is still sent or not. */
  readonly log: readonly MessageGroup[]
  /** Tokens of instructions and tools. */
  readonly fixedTokens: number
  /** The model's, in tokens of input and output; undefined when it is unknown. */
  readonly window: number | undefined
  /** Tokens the whole call should stay within: less than the window, and undefined with it. */
  readonly budget: number | undefined
  /** Tokens of the whole call: what the provider counted last, and an estimate of what is new. */
  tokens(): number
  /** `tokens() > limit`, without counting where that is plain. */
  exceeds(limit: number): boolean
  /** Tokens of these messages, corrected by how far the estimate was off at the last call. */
  count(messages: readonly Message[]): number
}

/** Messages that only make sense together: an answer and the results of its calls, or one other message. */
export interface MessageGroup {
  readonly messages: readonly Message[]
  /** How many runs of the session lie between it and now; 0 for the current one. @default 0 */
  readonly runsAgo?: number | undefined
}

export interface CompactionRequest extends ContextView {
  /**
   * `overflow`: the provider has refused the call as too long, and `budget` is well below what was sent. `manual`:
   * somebody wants the session compacted, whether or not the policy is due.
   */
  readonly trigger: 'due' | 'overflow' | 'manual'
  /** The agent's. */
  readonly model: Model
  readonly signal: AbortSignal
  /**
   * One model call of the policy's own, through the agent's middleware; it counts in the run's usage and cost.
   * @throws ParleyError `model-…`.
   */
  ask(request: ModelRequest, model?: Model): Promise<AssistantMessage>
}

/** What is sent from now on, oldest first. Groups of the request stay in the log as they are; others are written down. */
export interface Compaction {
  readonly view: readonly MessageGroup[]
}
