import type { ModelEvent } from '../model/model-event.ts'
import type { RunEvent } from '../run/run-event.ts'
import type { RunFacts } from '../run/run-facts.ts'
import type { RunProgress } from '../run/run-progress.ts'
import type { UserMessage } from '../schema/message.ts'
import type { ToolOutcome } from '../tool/tool-outcome.ts'
import type { ModelCall, ToolCall, Turn } from './stage-calls.ts'

/** Code around a run's turns, model calls and tool calls. The first middleware in a list sees a call first and its result last. */
export interface Middleware {
  readonly name: string
  /** Called once per run. State that belongs to the run lives in the closure of the returned stages. */
  begin(run: RunFacts, progress: RunProgress): MiddlewareStages
}

/** The stages of a middleware. An absent stage passes every call on. */
export interface MiddlewareStages {
  /**
   * Called before each turn: one model call and the tool calls of its answer. Returning `false` ends the run as cancelled by
   * a guard. A throw fails the run.
   */
  readonly beforeTurn?: ((turn: Turn) => boolean | void | Promise<boolean | void>) | undefined
  /**
   * Called after each turn that every `beforeTurn` allowed, in reverse order of the middleware. Also called if the
   * process stops driving the run in the middle of the turn. A throw fails the run.
   */
  readonly afterTurn?: ((turn: Turn) => void | Promise<void>) | undefined
  /**
   * Called between the tool calls of an answer, if they run in several batches, and after each turn. The returned messages become
   * durable as steering messages before they take effect: calls that have not started are skipped. A throw fails the run.
   */
  readonly steer?: ((signal: AbortSignal) => Steering | Promise<Steering>) | undefined
  /** Wraps a model call. The next stage and the provider receive the call that it passes on. */
  readonly model?:
    | ((call: ModelCall, next: (call: ModelCall) => AsyncIterable<ModelEvent>) => AsyncIterable<ModelEvent>)
    | undefined
  /**
   * Wraps a tool call, before its input is validated. If the stage changes the input, the new input is validated too.
   */
  readonly tool?: ((call: ToolCall, next: (call: ToolCall) => Promise<ToolOutcome>) => Promise<ToolOutcome>) | undefined
  /** Receives every event. An error that it throws is reported as `middleware.failed` and changes nothing. */
  readonly event?: ((event: RunEvent) => void) | undefined
}

/** Messages for a run, oldest first. */
type Steering = readonly (string | UserMessage)[]

/** Creates a middleware from a name and its `begin` function. */
export function defineMiddleware(name: string, begin: Middleware['begin']): Middleware {
  return { name, begin }
}
