import type { JsonSchemaObject, Tool, ToolOutcome } from '@parley/core'
import { defineBuiltIn, type BuiltInDefinition } from './define-built-in.ts'
import type { InferInput } from './infer-input.ts'

export type ReadToolDefinition<TSchema extends JsonSchemaObject> = Omit<BuiltInDefinition<TSchema>, 'effect'>

/** A built-in tool that changes nothing. */
export function defineReadTool<const TSchema extends JsonSchemaObject>(
  definition: ReadToolDefinition<TSchema>,
): Tool<InferInput<TSchema>, ToolOutcome> {
  return defineBuiltIn({ ...definition, effect: 'read' })
}
