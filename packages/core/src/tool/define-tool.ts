import { ParleyError } from '../errors/parley-error.ts'
import type { Schema, InferSchema } from '../json-schema/standard-schema.ts'
import { checkOptions } from '../options/check-options.ts'
import type { OptionKinds } from '../options/option-kind.ts'
import type { Tool } from './tool.ts'
import type { ToolContext } from './tool-context.ts'
import { toolPending, type ToolOutcome } from './tool-outcome.ts'

/** A tool with the input type of its schema. */
export interface ToolDefinition<TSchema extends Schema, TOutput> extends Omit<
  Tool<InferSchema<TSchema>, TOutput>,
  'input' | 'execute' | 'execution'
> {
  readonly input: TSchema
  /**
   * Executes the call.
   * @default the client executes the call: the run is suspended until `runtime.submitToolResult`, at most for `timeoutMs`
   */
  readonly execute?: (
    input: InferSchema<TSchema>,
    context: ToolContext,
  ) => Promise<TOutput | ToolOutcome> | TOutput | ToolOutcome
}

/** A tool of `defineTool` may be spread into another definition, so `execution` is known. */
const DEFINITION: OptionKinds<ToolDefinition<Schema, unknown> & Pick<Tool, 'execution'>> = {
  execution: ['client', 'server'],
  name: 'string!',
  description: 'string!',
  input: 'schema!',
  jsonSchema: 'object',
  output: 'schema',
  effect: ['read', 'idempotent', 'once'],
  permission: 'any',
  timeoutMs: 'number',
  concurrency: 'number',
  execute: 'function',
  reconcile: 'function',
}

/**
 * Defines a tool, and infers the type of the handler's input from the schema. The client executes a tool without `execute`.
 * @throws ParleyError `config-invalid` if a field is unknown, missing or invalid.
 */
export function defineTool<const TSchema extends Schema, TOutput>(
  definition: ToolDefinition<TSchema, TOutput>,
): Tool<InferSchema<TSchema>, TOutput> {
  checkOptions(whereOf(definition), definition, DEFINITION)
  const { name, description, timeoutMs, concurrency } = definition
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    reject(name, 'name', `'${name}' must be 1 to 64 of the characters A-Z a-z 0-9 _ -`)
  }
  if (description.trim() === '') reject(name, 'description', 'must not be empty; the model chooses tools by it')
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    reject(name, 'timeoutMs', `is ${timeoutMs}; must be a number above 0`)
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    reject(name, 'concurrency', `is ${concurrency}; must be an integer above 0`)
  }
  if (hasHandler(definition)) return definition
  // Asking the client again changes nothing, so a resumed run may repeat it.
  return { effect: 'idempotent', ...definition, execution: 'client', execute: () => toolPending() }
}

function hasHandler<TSchema extends Schema, TOutput>(
  definition: ToolDefinition<TSchema, TOutput>,
): definition is Tool<InferSchema<TSchema>, TOutput> & ToolDefinition<TSchema, TOutput> {
  return definition.execute !== undefined
}

/**
 * Returns the path that errors about a definition name: `tools.` and the tool's name, or `defineTool` if the name is
 * missing.
 */
function whereOf(definition: { readonly name: unknown }): string {
  const name = (definition as Partial<typeof definition> | undefined)?.name
  return typeof name === 'string' && name !== '' ? `tools.${name}` : 'defineTool'
}

function reject(tool: string, field: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: `tools.${tool}.${field}`, detail })
}
