import {
  ParleyError,
  Semaphore,
  toJsonSchema,
  type Schema,
  type Tool,
  type ToolEffect,
  type ToolSpec,
} from '@parley/core'
import { compileSchema, toLatestDraft, type Validate } from '@parley/core/json-schema'

/** A tool with its schemas compiled. */
export interface PreparedTool {
  readonly tool: Tool
  readonly spec: ToolSpec
  readonly effect: ToolEffect
  readonly validate: Validate
  readonly validateOutput: Validate | undefined
  /** Limits concurrent calls, over all runs of the process. */
  readonly gate: Semaphore | undefined
}

const prepared = new WeakMap<Tool, PreparedTool>()

/**
 * Compiles a tool, once per tool.
 * @throws ParleyError `tool-schema-invalid` if its input schema is invalid or is not the schema of an object.
 */
export function prepareTool(tool: Tool): PreparedTool {
  let result = prepared.get(tool)
  if (result === undefined) {
    result = compile(tool)
    prepared.set(tool, result)
  }
  return result
}

function compile(tool: Tool): PreparedTool {
  const { name, description, input, output, effect = 'once', concurrency } = tool
  if (typeof input !== 'object' || input === null) refuse(name, 'it is not an object')
  const inputSchema = tool.jsonSchema ?? toJsonSchema(input)
  if (typeof inputSchema === 'string') refuse(name, inputSchema)
  const validate = compileOrRefuse(name, input)
  const type = inputSchema['type'] ?? 'object'
  if (type !== 'object')
    refuse(name, `its type is ${JSON.stringify(type)}, but a model's arguments are always an object`)
  return {
    tool,
    spec: { name, description, inputSchema: toLatestDraft(inputSchema) },
    effect,
    validate,
    validateOutput: output === undefined ? undefined : compileOrRefuse(name, output),
    gate: concurrency === undefined ? undefined : new Semaphore(concurrency),
  }
}

function compileOrRefuse(tool: string, schema: Schema): Validate {
  try {
    return compileSchema(schema)
  } catch (error) {
    refuse(tool, error instanceof Error ? error.message : String(error))
  }
}

function refuse(tool: string, detail: string): never {
  throw new ParleyError({ code: 'tool-schema-invalid', tool, detail })
}
