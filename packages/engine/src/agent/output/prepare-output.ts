import {
  defineTool,
  refuseOption,
  toJsonSchema,
  toolAnswer,
  type Json,
  type ModelInfo,
  type OutputFormat,
  type Schema,
  type SystemPart,
  type Tool,
  type JsonSchemaObject,
} from '@parley/core'
import { compileSchema, type Validate } from '@parley/core/json-schema'
import type { Agent } from '../agent.ts'
import { toObjectSchema } from './object-schema.ts'
import { chooseStrategy, type OutputStrategy } from './output-options.ts'

/** Structured output, prepared for all runs of an agent. */
export interface PreparedOutput {
  readonly name: string
  readonly strategy: OutputStrategy
  readonly repairs: number
  readonly validate: Validate
  /** Whether the model writes the value as the field `value` of an object. */
  readonly wrapped: boolean
  /** The tool that receives the answer, for strategy `tool`. */
  readonly tool: Tool | undefined
  /** The format that the provider enforces, for strategy `native`. */
  readonly format: OutputFormat | undefined
  /** Tells the model how to answer, unless the provider enforces the format. */
  readonly instruction: SystemPart | undefined
}

/** The part of an agent that its output depends on. */
export interface OutputDefinition extends Pick<Agent, 'output' | 'outputOptions' | 'settings' | 'tools'> {
  /** Abilities of the model, as far as they are known. */
  readonly info: ModelInfo
}

/**
 * Prepares how a model of this agent answers with data. `undefined` for an agent without an output schema.
 * @throws ParleyError `config-invalid` below `path`.
 */
export function prepareOutput(agent: OutputDefinition, path: string): PreparedOutput | undefined {
  const { info, output, outputOptions = {}, settings, tools = [] } = agent
  if (output === undefined) {
    if (agent.outputOptions === undefined) return undefined
    refuseOption(`${path}.outputOptions`, 'requires an output schema')
  }
  const { name = 'final_answer', strategy = chooseStrategy(info, tools.length > 0), repairs = 3 } = outputOptions
  if (settings?.output !== undefined)
    refuseOption(`${path}.settings.output`, 'must be left out: the output schema sets it')
  if (!/^[\w-]{1,64}$/.test(name))
    refuseOption(`${path}.outputOptions.name`, `is '${name}'; must match [A-Za-z0-9_-]{1,64}`)
  if (!(Number.isInteger(repairs) && repairs >= 0))
    refuseOption(`${path}.outputOptions.repairs`, `is ${repairs}; must be an integer of at least 0`)
  if (!['native', 'tool', 'prompt'].includes(strategy))
    refuseOption(`${path}.outputOptions.strategy`, `is '${strategy}'; must be native, tool or prompt`)
  const valueSchema = outputOptions.jsonSchema ?? toJsonSchema(output)
  if (typeof valueSchema === 'string') refuseOption(`${path}.output`, valueSchema)
  const { schema, wrapped } = toObjectSchema(valueSchema)
  const format = { name, schema, strict: isStrict(schema) }
  return {
    name,
    strategy,
    repairs,
    validate: compileOrRefuse(output, `${path}.output`),
    wrapped,
    tool: strategy === 'tool' ? finalAnswerTool(name, schema, wrapped) : undefined,
    format: strategy === 'native' ? format : undefined,
    instruction: strategy === 'native' ? undefined : { text: instructionFor(strategy, name, schema) },
  }
}

/** The value inside the object that the model wrote. */
export function unwrapOutput(written: unknown, wrapped: boolean): unknown {
  const isWrapper = wrapped && typeof written === 'object' && written !== null && 'value' in written
  return isWrapper ? written.value : written
}

/**
 * Creates the tool that the model calls with its final answer. It uses only public functions, so any author can write a
 * tool that ends a run with a value.
 */
function finalAnswerTool(name: string, input: JsonSchemaObject, wrapped: boolean): Tool {
  return defineTool({
    name,
    description: 'Takes the final answer and ends the task. Call it once, on its own, when everything else is done.',
    input,
    effect: 'read',
    execute: input => toolAnswer(unwrapOutput(input, wrapped) as Json),
  })
}

function instructionFor(strategy: OutputStrategy, name: string, schema: object): string {
  if (strategy === 'tool') return `Give your final answer by calling the tool '${name}', not as text.`
  return `Give your final answer as JSON that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`
}

/** Whether a provider can enforce the schema strictly: every object is closed and every field required. */
function isStrict(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(isStrict)
  if (typeof node !== 'object' || node === null) return true
  const { type, properties, required, additionalProperties } = node as Readonly<Record<string, unknown>>
  if (type === 'object') {
    if (additionalProperties !== false) return false
    const fields = Object.keys(properties ?? {})
    if (!Array.isArray(required) || fields.some(field => !required.includes(field))) return false
  }
  return Object.values(node).every(isStrict)
}

function compileOrRefuse(schema: Schema, path: string): Validate {
  try {
    return compileSchema(schema)
  } catch (error) {
    refuseOption(path, error instanceof Error ? error.message : String(error))
  }
}
