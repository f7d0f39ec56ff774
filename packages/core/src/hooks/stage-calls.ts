import type { Model } from '../model/model.ts'
import type { ModelRequest } from '../model/model-request.ts'
import type { Message } from '../schema/message.ts'
import type { Tool } from '../tool/tool.ts'

/** A turn that a middleware wraps. */
export interface Turn {
  /** Number of the turn, 1 for the run's first model call. */
  readonly turn: number
  /** The transcript at this moment. The list is made when it is read first, and is frozen. */
  readonly messages: readonly Message[]
  /** Which messages the model call of the turn answers. */
  readonly trigger: TurnTrigger
  readonly signal: AbortSignal
}

/**
 * What a turn answers: a message of the user; the task of a parent run, in the first turn of a child run; the results of tool
 * calls; or a message that the engine wrote, for example to continue a truncated answer.
 */
export type TurnTrigger = 'user' | 'sub-agent' | 'tools' | 'engine'

/** A model call that a middleware wraps. */
export interface ModelCall {
  readonly turn: number
  /** The agent's model, or the model that its context policy asks. Read-only: a changed value does not redirect the call. */
  readonly model: Pick<Model, 'provider' | 'id' | 'info'>
  readonly request: ModelRequest
  readonly signal: AbortSignal
}

/** A tool call that a middleware wraps. */
export interface ToolCall {
  readonly turn: number
  readonly callId: string
  readonly tool: Tool
  /** Arguments of the call, parsed from JSON. */
  readonly input: unknown
  readonly signal: AbortSignal
}
