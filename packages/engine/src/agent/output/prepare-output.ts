import {
  defineTool,
  ParleyError,
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

/** Structured output with everything worked out that all runs share. */
export interface PreparedOutput {
  readonly name: string
  readonly strategy: OutputStrategy
  readonly repairs: number
  readonly validate: Validate
  /** Whether the model writes the value as the field `value` of an object. */
  readonly wrapped: boolean
  /** The tool that takes the answer, with strategy `tool`. */
  readonly tool: Tool | undefined
  /** What the provider is asked for, with strategy `native`. */
  readonly format: OutputFormat | undefined
  /** What the model is told, unless the provider sees to it. */
  readonly instruction: SystemPart | undefined
}

/** What of an agent it depends on. */
export interface OutputDefinition extends Pick<Agent, 'output' | 'outputOptions' | 'settings' | 'tools'> {
  /** Of its model, as far as that is known. */
  readonly info: ModelInfo
}

/** @throws ParleyError `config-invalid` below `path`. */
export function prepareOutput(agent: OutputDefinition, path: string): PreparedOutput | undefined {
  const { info, output, outputOptions = {}, settings, tools = [] } = agent
  if (output === undefined) {
    if (agent.outputOptions === undefined) return undefined
    refuse(`${path}.outputOptions`, 'says how, but there is no output schema')
  }
  const { name = 'final_answer', strategy = chooseStrategy(info, tools.length > 0), repairs = 3 } = outputOptions
  if (settings?.output !== undefined) refuse(`${path}.settings.output`, 'is set by the output schema; leave it out')
  if (!/^[\w-]{1,64}$/.test(name)) refuse(`${path}.outputOptions.name`, `is '${name}', it must fit [A-Za-z0-9_-]{1,64}`)
  if (!(Number.isInteger(repairs) && repairs >= 0))
    refuse(`${path}.outputOptions.repairs`, `is ${repairs}, it must be a whole number`)
  if (!['native', 'tool', 'prompt'].includes(strategy))
    refuse(`${path}.outputOptions.strategy`, `is '${strategy}', it must be native, tool or prompt`)
  const valueSchema = outputOptions.jsonSchema ?? toJsonSchema(output)
  if (typeof valueSchema === 'string') refuse(`${path}.output`, valueSchema)
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

/** The value within what the model wrote. */
export function unwrapOutput(written: unknown, wrapped: boolean): unknown {
  const isWrapper = wrapped && typeof written === 'object' && written !== null && 'value' in written
  return isWrapper ? written.value : written
}

/** An ordinary tool: whatever ends a run with a value could be written by anybody. */
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

/** Whether a provider can hold a model to it strictly: every object closed, every field required. */
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
    refuse(path, error instanceof Error ? error.message : String(error))
  }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
