import { ParleyError } from '../errors/parley-error.ts'
import type { Schema, InferSchema } from '../json-schema/standard-schema.ts'
import type { Tool, ToolContext } from './tool.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** A tool whose handler is typed by its input schema. */
export interface ToolDefinition<TSchema extends Schema, TOutput> extends Omit<
  Tool<InferSchema<TSchema>, TOutput>,
  'input' | 'execute'
> {
  readonly input: TSchema
  readonly execute: (
    input: InferSchema<TSchema>,
    context: ToolContext,
  ) => Promise<TOutput | ToolOutcome> | TOutput | ToolOutcome
}

/**
 * Checks what can be checked without running anything, and infers the handler's input type.
 * @throws ParleyError `config-invalid` when name, description, timeout or concurrency make no sense.
 */
export function defineTool<const TSchema extends Schema, TOutput>(
  definition: ToolDefinition<TSchema, TOutput>,
): Tool<InferSchema<TSchema>, TOutput> {
  const { name, description, timeoutMs, concurrency } = definition
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    refuse(name, 'name', `'${name}' must be 1 to 64 of the characters A-Z a-z 0-9 _ -`)
  }
  if (description.trim() === '') refuse(name, 'description', 'is empty; the model chooses tools by it')
  if (timeoutMs !== undefined && !(timeoutMs > 0)) refuse(name, 'timeoutMs', `is ${timeoutMs}, it must be above 0`)
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    refuse(name, 'concurrency', `is ${concurrency}, it must be a whole number above 0`)
  }
  return definition
}

function refuse(tool: string, field: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: `tools.${tool}.${field}`, detail })
}
