import type { Model } from '../model/model.ts'
import type { ModelRequest } from '../model/model-request.ts'
import type { AssistantMessage } from '../schema/message.ts'
import type { ContextView, MessageGroup } from './context-view.ts'

/**
 * Decides which messages of a long conversation are still sent to the model. The run's log keeps every message. A
 * decision is recorded as `context.compacted` and applies until the next one.
 */
export interface ContextPolicy {
  readonly name: string
  /** Whether to compact before the next model call. Called before every call, so it must be fast. */
  due(view: ContextView): boolean
  /**
   * Returns the messages to send from now on, or `undefined` if nothing can be removed. If it throws, or separates a
   * tool call from its result, the engine drops the oldest groups instead and records the reason in the entry. With the
   * trigger `manual`, the run fails instead.
   */
  compact(request: CompactionRequest): Compaction | undefined | Promise<Compaction | undefined>
}

/** The conversation to compact, and the means to do it. */
export interface CompactionRequest extends ContextView {
  /**
   * `due`: `ContextPolicy.due` returned true. `overflow`: the provider rejected the request as too long; `budget` is well below
   * its size. `manual`: the user requested a compaction of the session.
   */
  readonly trigger: 'due' | 'overflow' | 'manual'
  /** The agent's model. */
  readonly model: Model
  readonly signal: AbortSignal
  /**
   * Makes a model call for the policy, through the agent's middleware. Its usage counts for the run.
   * @param model @default the agent's model
   * @throws ParleyError with a `model-…` code.
   */
  ask(request: ModelRequest, model?: Model): Promise<AssistantMessage>
}

/** Result of a compaction. */
export interface Compaction {
  /** Groups to send from now on, oldest first. Groups of the request are recorded by position, new groups by content. */
  readonly view: readonly MessageGroup[]
}
