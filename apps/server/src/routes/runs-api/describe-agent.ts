import { toJsonSchema, type Json, type JsonSchemaObject, type Schema, type Tool, type ToolSource } from '@parley/core'
import type { Agent, ToolDirectory } from '@parley/engine'
import type { AgentInfo, ToolInfo, ToolList, ToolSourceInfo } from '@parley/runs-api'

/** Describes an agent, without its code. */
export function toAgentInfo({
  name,
  description,
  model,
  instructions,
  tools = [],
  handoffs = [],
  settings,
}: Agent): AgentInfo {
  const parts = typeof instructions === 'object' ? [instructions].flat() : []
  const templates = parts.filter(part => 'template' in part)
  return {
    name,
    description,
    model: typeof model === 'object' ? `${model.provider}/${model.id}` : model,
    instructions: typeof instructions === 'string' ? instructions : undefined,
    variables: templates.flatMap(({ variables = [] }) => variables),
    required: templates.flatMap(({ required = [] }) => required),
    tools: tools.map(tool => (typeof tool === 'string' ? tool : tool.name)),
    handoffs: handoffs.map(handoff => (typeof handoff === 'string' ? handoff : handoff.name)),
    // The options of a provider may contain secrets.
    settings: settings === undefined ? undefined : withoutProviderOptions(settings),
    isWorkflow: typeof model === 'object' && model.provider === 'workflow',
  }
}

function withoutProviderOptions(settings: object): Readonly<Record<string, Json>> {
  const { providerOptions: _secret, ...rest } = settings as { readonly providerOptions?: unknown }
  return rest
}

/** Describes the tools and tool sources of agents. Does not connect to the sources. */
export function toolsOf(agents: readonly Agent[], directory: Pick<ToolDirectory, 'get'>): ToolList {
  const tools = new Map<string, { readonly tool: Tool | ToolSource; readonly agents: string[] }>()
  for (const agent of agents) {
    for (const each of agent.tools ?? []) {
      const tool = typeof each === 'string' ? directory.get(each) : each
      const known = tools.get(tool.name)
      if (known === undefined) tools.set(tool.name, { tool, agents: [agent.name] })
      else known.agents.push(agent.name)
    }
  }
  const found: ToolInfo[] = []
  const sources: ToolSourceInfo[] = []
  for (const { tool, agents: users } of tools.values()) {
    if ('execute' in tool) found.push(toToolInfo(tool, users))
    else sources.push({ name: tool.name, agents: users })
  }
  return { tools: found, sources }
}

function toToolInfo(tool: Tool, agents: readonly string[]): ToolInfo {
  const { name, description, effect = 'once', permission = 'allow', jsonSchema, input } = tool
  const rule = typeof permission === 'object' ? permission.effect : permission
  return {
    name,
    description,
    inputSchema: jsonSchema ?? schemaOf(input),
    effect,
    permission: typeof rule === 'function' ? 'dynamic' : rule,
    agents,
  }
}

/** A schema that its library cannot produce accepts anything, as far as the reader knows. */
function schemaOf(input: Schema): JsonSchemaObject {
  const schema = toJsonSchema(input)
  return typeof schema === 'string' ? {} : schema
}
