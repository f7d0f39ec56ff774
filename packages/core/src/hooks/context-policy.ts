import type { Model } from '../model/model.ts'
import type { ModelRequest } from '../model/model-request.ts'
import type { AssistantMessage } from '../schema/message.ts'
import type { ContextView, MessageGroup } from './context-view.ts'

/**
 * Decides which messages of a long conversation are still sent to the model. The transcript keeps every message. A
 * decision is recorded as `context.compacted` and applies until the next one.
 */
export interface ContextPolicy {
  readonly name: string
  /** Whether to compact before the next model call. Called before every call, so it must be fast. */
  due(view: ContextView): boolean
  /**
   * Returns the bound that the view exceeds although `compact` can remove nothing more. The engine asks before each model
   * call, after `due`. With a bound, the call is not made, and the run fails with `context-unsatisfiable`.
   * @default the model's window, if even the newest messages alone exceed it
   */
  unsatisfied?(view: ContextView): UnsatisfiedBound | undefined
  /**
   * Returns the messages to send from now on, or `undefined` if nothing can be removed. If `compact` throws, or separates
   * a tool call from its result, the engine drops the oldest message groups instead. The entry `context.compacted`
   * records the reason. If the trigger is `manual`, the engine drops nothing, and the run fails.
   */
  compact(request: CompactionRequest): Compaction | undefined | Promise<Compaction | undefined>
}

/** A bound that a request cannot keep. */
export interface UnsatisfiedBound {
  /** Name of the bound: an option of the policy, for example `maxTokens`, or `window` for the model's window. */
  readonly bound: string
  /** The bound, in tokens of the whole request. */
  readonly max: number
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
