import {
  checkOptions,
  defineMiddleware,
  toJsonSchema,
  type JsonSchemaObject,
  type Middleware,
  type RunFacts,
  type Tool,
  type ToolCall,
  type ToolOutcome,
  type OptionKinds,
} from '@parley/core'
import { refuse } from '../outcome/refuse.ts'
import { fitArguments } from './fit-arguments.ts'

/** Returns a sentence that says what is wrong with a call's arguments and what to send instead. `undefined` if they are valid. */
export type ArgumentRule = (input: unknown, run: RunFacts) => string | undefined | Promise<string | undefined>

export interface CheckArgumentsOptions {
  /** Whether to repair arguments that almost fit the tool's schema. @default true */
  readonly repair?: boolean | undefined
  /** Rules that a schema cannot express, by tool name. A rule receives the repaired arguments. @default none */
  readonly rules?: Readonly<Record<string, ArgumentRule>> | undefined
  /** Called for each repair. @default none */
  readonly onRepair?: ((repair: ArgumentRepair) => void) | undefined
}

/** A repair of a call's arguments. */
export interface ArgumentRepair {
  /** Name of the tool. */
  readonly tool: string
  readonly callId: string
  readonly before: unknown
  readonly after: unknown
}

const OPTIONS: OptionKinds<CheckArgumentsOptions> = {
  repair: 'boolean',
  rules: 'object',
  onRepair: 'function',
}

/**
 * Repairs common mistakes of models in a call's arguments, then applies the rules, before the tool's schema validates them.
 * Examples of mistakes: a number or an object written as text, a single value instead of a list, `null` instead of a missing
 * value, a key in the wrong case. A valid value never changes.
 * @throws ParleyError `config-invalid` if an option is unknown.
 */
export function checkArguments(options: CheckArgumentsOptions = {}): Middleware {
  checkOptions('checkArguments', options, OPTIONS)
  const { repair = true, rules = {}, onRepair } = options
  const ruleOf = new Map(Object.entries(rules))
  return defineMiddleware('arguments', run => ({
    tool(call, next) {
      const { tool, callId } = call
      const schema = repair ? schemaOf(tool) : undefined
      const input = schema === undefined ? call.input : fitArguments(call.input, schema)
      const repaired = input !== call.input
      if (repaired) onRepair?.({ tool: tool.name, callId, before: call.input, after: input })
      const fitting = repaired ? { ...call, input } : call
      const rule = ruleOf.get(tool.name)
      return rule === undefined ? next(fitting) : obey(fitting, () => rule(input, run), next)
    },
  }))
}

async function obey(
  call: ToolCall,
  rule: () => ReturnType<ArgumentRule>,
  next: (call: ToolCall) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const complaint = await rule()
  if (complaint === undefined) return next(call)
  const issues = [{ path: '', message: complaint.replace(/\.$/, '') }]
  return refuse({ code: 'tool-input-invalid', tool: call.tool.name, issues })
}

const schemas = new WeakMap<Tool, { readonly schema: JsonSchemaObject | undefined }>()

/** Returns the JSON Schema that was shown to the model. Computed once for each tool. */
function schemaOf(tool: Tool): JsonSchemaObject | undefined {
  let known = schemas.get(tool)
  if (known === undefined) {
    const schema = tool.jsonSchema ?? toJsonSchema(tool.input)
    known = { schema: typeof schema === 'string' ? undefined : schema }
    schemas.set(tool, known)
  }
  return known.schema
}
