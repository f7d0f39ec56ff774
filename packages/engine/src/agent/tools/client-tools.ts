import { defineTool, describeError, isJson, ParleyError, storageFault, type ClientTool } from '@parley/core'
import type { PreparedAgent } from '../prepare-agent.ts'
import { prepareTool, type PreparedTool } from './prepare-tool.ts'
import { toolSetOf, type ToolSet, type Toolbox } from './tool-set.ts'

/** The tools that a client brought with a run. */
export interface ClientTools {
  readonly tools: readonly ClientTool[]
  /** Whether agents that do not say so accept them. */
  readonly accepted: boolean
}

/** Bounds for the tools of one run, which come from outside. Providers accept at most 128 tools. */
const MAX_TOOLS = 128
const MAX_CHARACTERS = 256_000

/**
 * Checks the tools that a client sends with a run.
 * @throws ParleyError `request-invalid` if the agent does not accept tools of clients, or if a tool is invalid, too large or
 * has the name of another tool.
 */
export function checkClientTools({ tools, accepted }: ClientTools, agent: PreparedAgent): void {
  const { definition, toolbox } = agent
  if (tools.length === 0) return
  if (!accepts(agent, accepted))
    refuse('', `agent '${definition.name}' does not accept tools of clients; set its option clientTools to 'accept'`)
  if (tools.length > MAX_TOOLS) refuse('', `has ${tools.length} tools; must have at most ${MAX_TOOLS}`)
  const fault = storageFault(tools)
  if (fault !== undefined) refuse('', fault)
  tools.forEach((tool, index) => checkShape(tool, `.${index}`))
  const characters = JSON.stringify(tools).length
  if (characters > MAX_CHARACTERS) refuse('', `has ${characters} characters; must have at most ${MAX_CHARACTERS}`)
  const known = new Set<string>()
  const own = toolbox.fixed
  prepareClientTools(tools).forEach(({ spec: { name } }, index) => {
    if (known.has(name) || own.has(name)) refuse(`.${index}.name`, nameTaken(name))
    known.add(name)
  })
}

/** An agent that also has the client's tools, if it accepts them. */
export function withClientTools(agent: PreparedAgent, { tools, accepted }: ClientTools): PreparedAgent {
  if (!accepts(agent, accepted)) return agent
  return { ...agent, toolbox: withTools(agent.toolbox, prepareClientTools(tools)) }
}

function accepts({ definition: { clientTools } }: PreparedAgent, accepted: boolean): boolean {
  return clientTools === undefined ? accepted : clientTools === 'accept'
}

function withTools(toolbox: Toolbox, added: readonly PreparedTool[]): Toolbox {
  // The same set for the same tools, so that its tokens are counted once.
  const known = new WeakMap<ToolSet, ToolSet>()
  const join = (tools: ToolSet): ToolSet => {
    const joined = known.get(tools) ?? joinTools(tools, added)
    known.set(tools, joined)
    return joined
  }
  return {
    fixed: toolbox.fixed,
    current(signal) {
      const tools = toolbox.current(signal)
      return tools instanceof Promise ? tools.then(join) : join(tools)
    },
    close: () => toolbox.close(),
  }
}

function joinTools({ specs, byName, omitted }: ToolSet, added: readonly PreparedTool[]): ToolSet {
  const joined = new Map(byName)
  added.forEach((prepared, index) => {
    const { name } = prepared.spec
    // The tools of a source are known only now.
    if (joined.has(name)) refuse(`.${index}.name`, nameTaken(name))
    joined.set(name, prepared)
  })
  // The agent may have given other descriptions to its tools.
  return { ...toolSetOf(joined, omitted), specs: [...specs, ...added.map(({ spec }) => spec)] }
}

function prepareClientTools(tools: readonly ClientTool[]): readonly PreparedTool[] {
  return tools.map(({ name, description, inputSchema }, index) => {
    try {
      return prepareTool(defineTool({ name, description, input: inputSchema }))
    } catch (error) {
      if (!ParleyError.is(error)) throw error
      return refuse(`.${index}`, describeError(error.info))
    }
  })
}

function checkShape(tool: unknown, path: string): void {
  if (!isObject(tool)) return refuse(path, 'must be an object')
  for (const field of ['name', 'description']) {
    if (typeof tool[field] !== 'string') refuse(`${path}.${field}`, 'must be a string')
  }
  const { inputSchema } = tool
  if (!isObject(inputSchema) || !isJson(inputSchema)) refuse(`${path}.inputSchema`, 'must be a JSON Schema: an object')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nameTaken(name: string): string {
  return `'${name}' is the name of another tool; give it another name`
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'request-invalid', path: `clientTools${path}`, detail })
}
