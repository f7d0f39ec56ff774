import {
  ParleyError,
  toolError,
  type JsonSchemaObject,
  type Tool,
  type ToolContext,
  type ToolSource,
} from '@parley/core'
import type { PromptyAgent, PromptyTool } from '../format/prompty-agent.ts'
import type { PromptyInputs } from '../format/validate-inputs.ts'
import { governTools } from './govern-tools.ts'
import type { PromptyHost, PromptyToolHandler } from '../host/prompty-host.ts'
import { resolveConnection } from '../host/resolve-connection.ts'
import { schemaOfProperties } from './schema-of-properties.ts'

export interface BuildToolsOptions {
  /** Tools of this run, by name. @default none */
  readonly tools?: Readonly<Record<string, PromptyToolHandler>> | undefined
  /** Values for bound parameters. */
  readonly inputs: PromptyInputs
  readonly signal?: AbortSignal | undefined
}

/** The tools of a run, and their special rules. Disposing it closes the tool sources. */
export interface BuiltTools extends AsyncDisposable {
  readonly tools: readonly (Tool | ToolSource)[]
  /** Names of tools whose schema the provider enforces. */
  readonly strict: ReadonlySet<string>
  /** Names of functions that the file does not declare. They can be called but are not offered to the model. */
  readonly hidden: ReadonlySet<string>
  /** Names of bound parameters, by tool. Values from the model for them are ignored. */
  readonly bound: ReadonlyMap<string, readonly string[]>
}

/**
 * Finds the implementation of each tool of a file: by name in the run, in `metadata.tool_functions`, or in the host, then by kind,
 * then `*`.
 * @throws ParleyError `config-invalid` if no handler has the kind, and what the handler of a kind throws.
 */
export async function buildTools(
  host: PromptyHost,
  agent: PromptyAgent,
  options: BuildToolsOptions,
): Promise<BuiltTools> {
  const handlers = { ...host.tools, ...toolFunctionsOf(agent), ...options.tools }
  const handlerOf = (name: string): PromptyToolHandler | undefined =>
    Object.hasOwn(handlers, name) ? handlers[name] : undefined
  const tools: (Tool | ToolSource)[] = []
  const close = async (): Promise<void> => {
    for (const tool of tools) if ('tools' in tool) await tool[Symbol.asyncDispose]()
  }
  try {
    for (const declared of agent.tools) {
      const handler = handlerOf(declared.name)
      if (handler !== undefined) tools.push(toTool(declared, handler, options.inputs))
      else if (declared.kind === 'function') tools.push(missingTool(declared))
      else tools.push(await openKind(host, declared, { agent, signal: options.signal }))
    }
  } catch (error) {
    await close()
    throw error
  }
  const declaredNames = new Set(agent.tools.map(({ name }) => name))
  const others = Object.keys(handlers).filter(name => !declaredNames.has(name))
  for (const name of others) tools.push(undeclaredTool(name, handlers[name] as PromptyToolHandler))
  return {
    tools,
    strict: new Set(agent.tools.filter(({ strict }) => strict === true).map(({ name }) => name)),
    hidden: new Set(others.filter(name => !isSelfDescribing(handlers[name]))),
    bound: new Map(agent.tools.map(({ name, bindings }) => [name, Object.keys(bindings)])),
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Returns the functions and tools that a program put into `metadata.tool_functions`. The YAML of a file cannot contain a function, so
 * values from a file are skipped.
 */
function toolFunctionsOf({ metadata }: PromptyAgent): Readonly<Record<string, PromptyToolHandler>> {
  const given = metadata['tool_functions']
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(Object.entries(given).filter(([, value]) => isHandler(value)))
}

function isHandler(value: unknown): value is PromptyToolHandler {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && 'execute' in value && typeof value.execute === 'function'
}

/** The result that the model reads for a tool without an implementation. */
export function missingToolText(name: string): string {
  return `Error: tool '${name}' not found in tools dict`
}

/** A declared tool without an implementation: the model may call it and reads an error. */
function missingTool(declared: PromptyTool): Tool {
  const { name } = declared
  const tool = toTool(declared, { execute: () => null }, {})
  return {
    ...tool,
    input: { type: 'object' },
    jsonSchema: tool.input as JsonSchemaObject,
    effect: 'read',
    execute: () => toolError(missingToolText(name), { error: { code: 'tool-unknown', tool: name, available: [] } }),
  }
}

function toTool(declared: PromptyTool, handler: PromptyToolHandler, inputs: PromptyInputs): Tool {
  const { name, parameters = [], strict = false, bindings } = declared
  const visible = parameters.filter(parameter => !Object.hasOwn(bindings, parameter.name))
  const own = typeof handler === 'function' ? undefined : handler
  const described = declared.parameters === undefined && own?.input !== undefined
  const optional = strict ? visible.filter(({ required = false, nullable = false }) => !required && !nullable) : []
  const toArguments = (input: unknown): Record<string, unknown> => {
    const values: Record<string, unknown> = { ...(input as object) }
    // With an enforced schema, a model writes null for a parameter that it omits.
    for (const parameter of optional) if (values[parameter.name] === null) delete values[parameter.name]
    for (const [parameter, { input: source }] of Object.entries(bindings))
      if (Object.hasOwn(inputs, source)) values[parameter] = inputs[source]
    return values
  }
  return {
    ...own,
    name,
    description: declared.description ?? own?.description ?? '',
    input: described ? own.input : schemaOfProperties(visible, { strict }),
    execute: (input, context) => call(handler, { name, values: toArguments(input), declared, context }),
  }
}

interface HandlerCall {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  readonly declared?: PromptyTool | undefined
  readonly context: ToolContext
}

/** Calls a synchronous handler synchronously, so that its result counts even if it cancels the run. */
function call(handler: PromptyToolHandler, { name, values, declared, context }: HandlerCall): unknown {
  const fail = (error: unknown): ReturnType<typeof toolError> => toolError(executionFailure(name, error))
  try {
    const order = declared?.parameters?.map(parameter => parameter.name) ?? Object.keys(values)
    const result: unknown =
      typeof handler === 'function'
        ? (handler as (...given: unknown[]) => unknown)(...order.map(parameter => values[parameter]))
        : handler.execute(values, context)
    return isThenable(result) ? result.then(undefined, fail) : result
  } catch (error) {
    return fail(error)
  }
}

/** The result that the model reads when a handler throws. */
function executionFailure(name: string, error: unknown): string {
  if (!(error instanceof Error)) return `Error executing ${name}: ${String(error)}`
  return `Error executing ${name}: ${error.name === 'Error' ? '' : `${error.name}: `}${error.message}`
}

function undeclaredTool(name: string, handler: PromptyToolHandler): Tool {
  const own = typeof handler === 'function' ? undefined : handler
  return {
    ...own,
    name,
    description: own?.description ?? '',
    input: own?.input ?? { type: 'object' },
    execute: (input, context) => call(handler, { name, values: input as Readonly<Record<string, unknown>>, context }),
  }
}

function isSelfDescribing(handler: PromptyToolHandler | undefined): boolean {
  return typeof handler === 'object' && handler.input !== undefined
}

interface KindRequest {
  readonly agent: PromptyAgent
  readonly signal: AbortSignal | undefined
}

async function openKind(
  host: PromptyHost,
  declared: PromptyTool,
  { agent, signal }: KindRequest,
): Promise<Tool | ToolSource> {
  const { name, kind } = declared
  const path = `${agent.path ?? 'prompt'} tools.${name}`
  const { toolKinds = {} } = host
  const handler = Object.hasOwn(toolKinds, kind) ? toolKinds[kind] : toolKinds['*']
  if (handler === undefined) {
    const known = Object.keys(toolKinds).join(', ') || 'none'
    throw new ParleyError({
      code: 'config-invalid',
      path: `${path}.kind`,
      detail: `is '${kind}', which this host cannot run (known: ${known}). Add it to 'toolKinds' of createPrompty, or add a tool named '${name}'.`,
    })
  }
  const connection = await resolveConnection(host, {
    connection: declared.connection,
    path: `${path}.connection`,
    signal,
  })
  return governTools(await handler(declared, { connection, signal }), declared)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
