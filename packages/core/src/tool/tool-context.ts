import type { RunWith } from '../run/run-facts.ts'
import type { Json } from '../schema/json.ts'
import type { ContextEditor } from './context-editor.ts'
import type { Delegate } from './delegate.ts'

/** Second argument of a tool's handler. `TContext` is the type of the run's context, which the handler reads as `run.context`. */
export interface ToolContext<TContext = unknown> {
  /** Aborted when the run is cancelled, the call times out or the runtime closes. Pass it to every call that waits. */
  readonly signal: AbortSignal
  readonly callId: string
  /** The same for every attempt of this call. Pass it to remote systems. */
  readonly idempotencyKey: string
  /** Reports progress to the readers of the run's events. */
  readonly progress: (update: Json) => void
  readonly run: RunWith<TContext>
  /** Whether this call has been approved. A handler that returns `toolAsk` is called again with `true` after approval. */
  readonly approved?: boolean | undefined
  /** Runs another agent for this call. `undefined` if no runtime executes the tool, for example in an MCP server. */
  readonly delegate?: Delegate | undefined
  /** Removes earlier steps from what is sent to the model. `undefined` if no runtime executes the tool. */
  readonly contextEditor?: ContextEditor | undefined
}
