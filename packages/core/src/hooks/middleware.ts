import type { Model, ModelEvent, ModelRequest } from '../model/model.ts'
import type { RunEvent } from '../run/run-event.ts'
import type { RunFacts } from '../run/run-facts.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolOutcome } from '../tool/tool-outcome.ts'

/** Code around the loop's seams. The first one listed sees a call first and its result last. */
export interface Middleware {
  readonly name: string
  /** Called once per run; what it closes over is the run's own state. */
  begin(run: RunFacts): MiddlewareStages
}

export interface MiddlewareStages {
  /**
   * Around each turn: one model call and the tools it asks for. A stage that does not call `next` ends the run as cancelled
   * by a guard; one that throws lets it fail.
   */
  readonly turn?: ((turn: Turn, next: () => Promise<void>) => Promise<void>) | undefined
  /** Around each model call. What it passes on is what the next stage and the provider receive. */
  readonly model?:
    | ((call: ModelCall, next: (call: ModelCall) => AsyncIterable<ModelEvent>) => AsyncIterable<ModelEvent>)
    | undefined
  /** Around each tool call, before its input is validated: a rewritten input is validated again. */
  readonly tool?: ((call: ToolCall, next: (call: ToolCall) => Promise<ToolOutcome>) => Promise<ToolOutcome>) | undefined
  /** Sees every event. A throw is reported as `middleware.failed` and changes nothing. */
  readonly event?: ((event: RunEvent) => void) | undefined
}

export interface Turn {
  /** 1 for the run's first model call. */
  readonly turn: number
  /** Messages in the transcript. */
  readonly messages: number
  readonly signal: AbortSignal
}

export interface ModelCall {
  readonly turn: number
  /** Who is asked: the agent's model, or one its context policy asks. For reading alone: the call goes to it anyway. */
  readonly model: Pick<Model, 'provider' | 'id' | 'info'>
  readonly request: ModelRequest
  readonly signal: AbortSignal
}

export interface ToolCall {
  readonly turn: number
  readonly callId: string
  readonly tool: Tool
  /** Parsed arguments. */
  readonly input: unknown
  readonly signal: AbortSignal
}

/** Names a middleware and gives it its shape. */
export function defineMiddleware(name: string, begin: (run: RunFacts) => MiddlewareStages): Middleware {
  return { name, begin }
}
