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

export interface BuiltInDefinition<TSchema extends JsonSchemaObject> {
  readonly name: string
  readonly description: string
  readonly effect: ToolEffect
  readonly input: TSchema
  /** @default 10_000 */
  readonly timeoutMs?: number | undefined
  readonly permission?: Permission | undefined
  readonly execute: (input: InferInput<TSchema>, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome
}

/**
 * A tool with its handler typed by its JSON Schema. A `ParleyError` it throws becomes a failure the model reads,
 * with any caller and not only under the engine.
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
        // Whoever calls a tool has checked the input against its schema; the type follows from the schema.
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

export type ReadToolDefinition<TSchema extends JsonSchemaObject> = Omit<BuiltInDefinition<TSchema>, 'effect'>

/** Defines a built-in tool of effect `read`, which changes nothing. */
export function defineReadTool<const TSchema extends JsonSchemaObject>(
  definition: ReadToolDefinition<TSchema>,
): Tool<InferInput<TSchema>, ToolOutcome> {
  return defineBuiltIn({ ...definition, effect: 'read' })
}
