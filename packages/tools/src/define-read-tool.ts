import {
  defineTool,
  ParleyError,
  toolError,
  type JsonSchemaObject,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from '@parley/core'
import type { InferInput } from './infer-input.ts'

export interface ReadToolDefinition<TSchema extends JsonSchemaObject> {
  readonly name: string
  readonly description: string
  readonly input: TSchema
  readonly timeoutMs?: number | undefined
  readonly execute: (input: InferInput<TSchema>, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome
}

/**
 * A tool that changes nothing, with its handler typed by its JSON Schema. A `ParleyError` it throws becomes a
 * failure the model reads, with any caller and not only under the engine.
 */
export function defineReadTool<const TSchema extends JsonSchemaObject>({
  execute,
  ...definition
}: ReadToolDefinition<TSchema>): Tool<InferInput<TSchema>, ToolOutcome> {
  const tool = defineTool({
    ...definition,
    effect: 'read',
    execute: async (input: unknown, context): Promise<ToolOutcome> => {
      context.signal.throwIfAborted()
      try {
        // Whoever calls a tool has checked the input against its schema; the type follows from the schema.
        return await execute(input as InferInput<TSchema>, context)
      } catch (error) {
        if (ParleyError.is(error)) return toolError(error.message, { error: error.info })
        throw error
      }
    },
  })
  return tool as Tool<InferInput<TSchema>, ToolOutcome>
}
