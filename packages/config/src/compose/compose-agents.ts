import type { Tool, ToolSource } from '@parley/core'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import { webhookApproval } from '@parley/middleware/webhook-approval'
import type { KeyPath } from '../parse/config-source.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import type { ComposedModels } from './compose-models.ts'
import type { ConfigRegistry } from './config-registry.ts'
import { mergeProfile, type MergedAgent } from './merge-profile.ts'
import type { Reporter } from './reporter.ts'
import { toContextPolicy } from './to-context-policy.ts'
import { toInstructions } from './to-instructions.ts'

export interface AgentSurroundings {
  readonly config: ConfigData
  readonly models: ComposedModels
  readonly registry: ConfigRegistry
  readonly reporter: Reporter
}

/** The agents of a configuration, in its order. What is wrong with them is reported. */
export function composeAgents(surroundings: AgentSurroundings): readonly Agent[] {
  const { config, reporter } = surroundings
  const merged = new Map(
    Object.entries(config.agents).map(([name, agent]) => {
      const profile = agent.profile === undefined ? undefined : config.profiles?.[agent.profile]
      return [name, mergeProfile(name, agent, profile)]
    }),
  )
  // Agents may hand over to one another in a ring: the lists are filled when all agents are there.
  const handoffs = new Map([...merged.keys()].map(name => [name, [] as Agent[]]))
  const agents = new Map(
    [...merged].map(([name, agent]) => {
      const tools = [...toolsOf(agent, surroundings), ...agentTools(agent, { ...surroundings, merged })]
      return [name, { ...toAgent(name, agent, surroundings), tools, handoffs: handoffs.get(name) ?? [] }]
    }),
  )
  for (const [name, { data }] of merged)
    for (const target of data.handoffs ?? []) {
      const agent = agents.get(target)
      if (agent !== undefined) handoffs.get(name)?.push(agent)
    }
  for (const [name, agent] of agents) reporter.attempt(['agents', name], () => defineAgent(agent))
  return [...agents.values()]
}

function toAgent(name: string, agent: MergedAgent, { config, models, registry, reporter }: AgentSurroundings): Agent {
  const { data, keyOf } = agent
  const { output, approval, context } = data
  // These are looked up below, or are no fields of an agent.
  const { agents: _agents, tools: _tools, approval: _approval, handoffs: _handoffs, ...plain } = data
  const unread = (key: KeyPath) => (file: string) =>
    reporter.report(key, `names the file '${file}', which only loadConfig of '@parley/config/node' reads`)
  if (output !== undefined && 'file' in output) unread(keyOf('output'))(output.file)
  const modelName = data.model ?? config.defaults?.model
  const modelKey = data.model === undefined ? ['defaults', 'model'] : keyOf('model')
  if (modelName === undefined && registry.model === undefined)
    reporter.report(keyOf('model'), "is missing; name one here or under 'defaults'")
  return {
    ...plain,
    name,
    model: modelName === undefined ? registry.model : models.find(modelKey, modelName),
    instructions:
      data.instructions === undefined ? undefined : toInstructions(data.instructions, unread(keyOf('instructions'))),
    context: context === undefined ? undefined : contextOf(context, keyOf('context'), { config, models, reporter }),
    output: output !== undefined && 'schema' in output ? output.schema : undefined,
    outputOptions:
      output === undefined ? undefined : { name: output.name, strategy: output.strategy, repairs: output.repairs },
    onApproval:
      approval === undefined
        ? undefined
        : reporter.attempt([...keyOf('approval'), 'webhook'], () => webhookApproval(approval.webhook)),
    middleware: named(agent, 'middleware', { known: registry.middleware, reporter }),
    inputFilters: named(agent, 'inputFilters', { known: registry.inputFilters, reporter }),
  }
}

type ContextSurroundings = Pick<AgentSurroundings, 'config' | 'models' | 'reporter'>

function contextOf(
  context: NonNullable<MergedAgent['data']['context']>,
  from: KeyPath,
  { config, models, reporter }: ContextSurroundings,
): Agent['context'] {
  if (context === 'none') return context
  const described = typeof context === 'string' ? config.contexts?.[context] : context
  const key = typeof context === 'string' ? ['contexts', context] : from
  if (described === undefined) return undefined
  return reporter.attempt(key, () => toContextPolicy(described, name => models.find([...key, 'model'], name)))
}

function toolsOf(agent: MergedAgent, { registry, reporter }: AgentSurroundings): readonly (Tool | ToolSource)[] {
  return named(agent, 'tools', { known: registry.tools, reporter }) ?? []
}

interface AgentToolSurroundings extends AgentSurroundings {
  readonly merged: ReadonlyMap<string, MergedAgent>
}

function agentTools(agent: MergedAgent, { merged, reporter }: AgentToolSurroundings): readonly Tool[] {
  return (agent.data.agents ?? []).flatMap((given, index) => {
    const { agent: target, ...options } = typeof given === 'string' ? { agent: given } : given
    const description = merged.get(target)?.data.description
    const key = [...agent.keyOf('agents'), index]
    const tool = reporter.attempt(key, () => agentTool(target, { ...(description && { description }), ...options }))
    return tool === undefined ? [] : [tool]
  })
}

interface Registered<TItem> {
  readonly known: readonly TItem[] | undefined
  readonly reporter: Reporter
}

/** What the program has registered under the names of a field. */
function named<TItem extends { readonly name: string }>(
  { data, keyOf }: MergedAgent,
  field: 'tools' | 'middleware' | 'inputFilters',
  { known = [], reporter }: Registered<TItem>,
): readonly TItem[] | undefined {
  return data[field]?.flatMap((name, index) => {
    const found = known.find(item => item.name === name)
    if (found !== undefined) return [found]
    const what = { tools: 'tool', middleware: 'middleware', inputFilters: 'input filter' }[field]
    reporter.unknown([...keyOf(field), index], { what, name, known: known.map(item => item.name) })
    return []
  })
}
