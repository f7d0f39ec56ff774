import type { Model } from '../model/model.ts'
import type { ModelRequest } from '../model/model-request.ts'
import type { Tool } from '../tool/tool.ts'

/** A turn that a middleware wraps. */
export interface Turn {
  /** Number of the turn, 1 for the run's first model call. */
  readonly turn: number
  /** Number of messages in the transcript. */
  readonly messages: number
  readonly signal: AbortSignal
}

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
