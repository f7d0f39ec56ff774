import {
  defineTool,
  ParleyError,
  toolError,
  type JsonSchemaObject,
  type Permission,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolOutcome,
} from '@parley/core'
import type { InferInput } from './infer-input.ts'

/** The parts of a built-in tool. */
export interface BuiltInDefinition<TSchema extends JsonSchemaObject> {
  readonly name: string
  readonly description: string
  readonly effect: ToolEffect
  readonly input: TSchema
  /** Milliseconds after which a call is stopped. @default 10_000 */
  readonly timeoutMs?: number | undefined
  readonly permission?: Permission | undefined
  readonly execute: (input: InferInput<TSchema>, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome
}

/**
 * Defines a tool whose handler is typed by its JSON Schema. A `ParleyError` that the handler throws becomes a failure that
 * the model reads, even if the tool is called without the engine.
 */
export function defineBuiltIn<const TSchema extends JsonSchemaObject>({
  execute,
  timeoutMs = 10_000,
  ...definition
}: BuiltInDefinition<TSchema>): Tool<InferInput<TSchema>, ToolOutcome> {
  const tool = defineTool({
    ...definition,
    timeoutMs,
    execute: async (input: unknown, context): Promise<ToolOutcome> => {
      context.signal.throwIfAborted()
      try {
        // Callers validate the input against the schema before they call a tool, and the type follows from the schema.
        return await execute(input as InferInput<TSchema>, context)
      } catch (error) {
        if (!ParleyError.is(error)) throw error
        const retryable = 'retryable' in error.info && error.info.retryable === true
        return toolError(error.message, { error: error.info, retryable })
      }
    },
  })
  return tool as Tool<InferInput<TSchema>, ToolOutcome>
}

/** The parts of a built-in tool of effect `read`. */
export type ReadToolDefinition<TSchema extends JsonSchemaObject> = Omit<BuiltInDefinition<TSchema>, 'effect'>

/** Defines a built-in tool of effect `read`, which changes nothing. */
export function defineReadTool<const TSchema extends JsonSchemaObject>(
  definition: ReadToolDefinition<TSchema>,
): Tool<InferInput<TSchema>, ToolOutcome> {
  return defineBuiltIn({ ...definition, effect: 'read' })
}
