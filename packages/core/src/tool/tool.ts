import type { ContextEditor } from './context-editor.ts'
import type { Delegate } from './delegate.ts'
import type { Permission } from './permission.ts'
import type { RunFacts } from '../run/run-facts.ts'
import type { Json } from '../schema/json.ts'
import type { JsonSchemaObject, Schema } from '../json-schema/standard-schema.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** Something a model may ask to be done. Plain data; `defineTool` infers the types. */
export interface Tool<TInput = unknown, TOutput = unknown> {
  /** `[A-Za-z0-9_-]`, at most 64 characters. */
  readonly name: string
  /** What it does and when to use it, for the model. */
  readonly description: string
  readonly input: Schema
  /** What the model is shown when `input`'s library cannot produce a JSON Schema. */
  readonly jsonSchema?: JsonSchemaObject | undefined
  readonly output?: Schema | undefined
  /**
   * What running it twice does: `read` changes nothing, `idempotent` gives the same result for the same
   * key, `once` must not repeat. Decides what a resumed run may run again. @default 'once'
   */
  readonly effect?: ToolEffect | undefined
  /** @default 'allow' */
  readonly permission?: Permission | undefined
  /** Milliseconds after which the call is aborted and settled as an error. @default the agent's toolTimeoutMs */
  readonly timeoutMs?: number | undefined
  /** Most calls of this tool at once, over all runs of the process. @default unlimited */
  readonly concurrency?: number | undefined
  /** Runs it. A throw becomes an error result the model reads; it never ends the run. */
  execute(input: TInput, context: ToolContext): Promise<TOutput | ToolOutcome> | TOutput | ToolOutcome
  /**
   * Finds out what became of a `once` call that a crash has cut off: the outside world is asked by `idempotencyKey`. Under
   * the same timeout as `execute`. A throw means that it cannot be told. @default it cannot be told, and the model is told that
   */
  reconcile?(input: TInput, context: ToolContext): Promise<Reconciliation<TOutput>> | Reconciliation<TOutput>
}

/** What became of a call: it had its effect, with that result; it had none and may run now; nobody can tell. */
export type Reconciliation<TOutput = unknown> =
  | { readonly type: 'done'; readonly output: TOutput | ToolOutcome }
  | { readonly type: 'not-done' }
  | { readonly type: 'unknown' }

export type ToolEffect = 'read' | 'idempotent' | 'once'

/** What a handler is given beside its input. */
export interface ToolContext {
  /** Aborted on cancel, timeout and shutdown. Pass it to everything that waits. */
  readonly signal: AbortSignal
  readonly callId: string
  /** The same for every attempt of this call: hand it to the outside world. */
  readonly idempotencyKey: string
  /** Tells watchers how far the call is. */
  readonly progress: (update: Json) => void
  readonly run: RunFacts
  /** Whether a person has approved this very call. A handler that asked by itself (`toolAsk`) looks here. */
  readonly approved?: boolean | undefined
  /** Lets another agent work for this call. Undefined where no runtime runs it: a tool served over MCP, say. */
  readonly delegate?: Delegate | undefined
  /** Takes steps out of what the model is sent. Undefined where no runtime runs it. */
  readonly contextEditor?: ContextEditor | undefined
}

/** Tools that come from somewhere: an MCP server, an OpenAPI document. */
export interface ToolSource extends AsyncDisposable {
  readonly name: string
  /** The tools it has now. Connects when needed. */
  tools(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly Tool[]>
  /** Calls `listener` whenever `tools` would answer differently. Returns the way to stop. */
  onChange?(listener: () => void): () => void
}
