import type { JsonSchemaObject, Schema } from '../json-schema/standard-schema.ts'
import type { Permission } from './permission.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** A function that a model may call. `defineTool` checks it and infers the types of its handler. */
export interface Tool<TInput = unknown, TOutput = unknown, TName extends string = string, TContext = unknown> {
  /** 1 to 64 of the characters `A-Z a-z 0-9 _ -`. */
  readonly name: TName
  /** Tells the model what the tool does and when to use it. */
  readonly description: string
  /** Schema of the arguments. The handler receives only arguments that fit it. */
  readonly input: Schema
  /** JSON Schema for the model, if the library of `input` cannot produce one. @default derived from `input` */
  readonly jsonSchema?: JsonSchemaObject | undefined
  /**
   * Schema of the result. A result that does not fit becomes an error. One that fits is recorded as data too, as `structured` of
   * its message.
   * @default not checked
   */
  readonly output?: Schema | undefined
  /** What a second execution of the same call does. It decides whether a resumed run may execute a call again. @default 'once' */
  readonly effect?: ToolEffect | undefined
  /** Whether a call may be executed, needs an approval or is denied. @default 'allow' */
  readonly permission?: Permission | undefined
  /** Milliseconds after which the call is aborted and ends as an error. @default the agent's `toolTimeoutMs` */
  readonly timeoutMs?: number | undefined
  /** Largest number of concurrent calls of this tool in the process, over all runs. @default unlimited */
  readonly concurrency?: number | undefined
  /** Where the tool is executed. `defineTool` sets `client` for a tool without `execute`. @default 'server' */
  readonly execution?: 'client' | 'server' | undefined
  /** Executes the call. An error that it throws becomes an error result for the model and never ends the run. */
  execute(input: TInput, context: ToolContext<TContext>): Promise<TOutput | ToolOutcome> | TOutput | ToolOutcome
  /**
   * Finds out what happened to a `once` call that a crash interrupted, for example by asking the remote system for
   * `idempotencyKey`. It has the same timeout as `execute`. If it throws, the result counts as `unknown`.
   * @default the result is `unknown`, and the model is informed
   */
  reconcile?(input: TInput, context: ToolContext<TContext>): Promise<Reconciliation<TOutput>> | Reconciliation<TOutput>
}

/**
 * Effect of an execution. `read` changes nothing. `idempotent` has the same result for the same idempotency key. `once` must
 * not be repeated.
 */
export type ToolEffect = 'read' | 'idempotent' | 'once'

/**
 * Fate of an interrupted call: it took effect with this output, it did not take effect and may run now, or this is
 * unknown.
 */
export type Reconciliation<TOutput = unknown> =
  | { readonly type: 'done'; readonly output: TOutput | ToolOutcome }
  | { readonly type: 'not-done' }
  | { readonly type: 'unknown' }
