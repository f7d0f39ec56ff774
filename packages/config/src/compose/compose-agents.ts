import type { Tool, ToolSource } from '@parley/core'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import { webhookApproval } from '@parley/middleware/webhook-approval'
import type { KeyPath } from '../schema/config.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import type { ComposedModels } from './compose-models.ts'
import type { ConfigRegistry } from './config-registry.ts'
import { mergeProfile, type MergedAgent } from './merge-profile.ts'
import type { Reporter } from './reporter.ts'
import { toContextPolicy } from './to-context-policy.ts'
import { toInstructions } from './to-instructions.ts'

/** The parts that agents are made from. */
export interface ComposeParts {
  readonly config: ConfigData
  readonly models: ComposedModels
  readonly registry: ConfigRegistry
  readonly reporter: Reporter
}

/** Makes the agents of a configuration, in its order. Problems go to the reporter. */
export function composeAgents(parts: ComposeParts): readonly Agent[] {
  const { config, reporter } = parts
  const merged = new Map(
    Object.entries(config.agents).map(([name, agent]) => {
      const profile = agent.profile === undefined ? undefined : config.profiles?.[agent.profile]
      return [name, mergeProfile(name, agent, profile)]
    }),
  )
  // Handoffs may form a ring, so the lists are filled after all agents exist.
  const handoffs = new Map([...merged.keys()].map(name => [name, [] as Agent[]]))
  const agents = new Map(
    [...merged].map(([name, agent]) => {
      const tools = [...toolsOf(agent, parts), ...agentTools(agent, { ...parts, merged })]
      return [name, { ...toAgent(name, agent, parts), tools, handoffs: handoffs.get(name) ?? [] }]
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

function toAgent(name: string, agent: MergedAgent, { config, models, registry, reporter }: ComposeParts): Agent {
  const { data, keyOf } = agent
  const { output, approval, context } = data
  // An agent has these fields in another form, or not at all.
  const { agents: _agents, tools: _tools, approval: _approval, handoffs: _handoffs, ...plain } = data
  const unread = (key: KeyPath) => (file: string) =>
    reporter.report(key, `names the file '${file}'; only loadConfig of '@parley/config/node' reads files`)
  if (output !== undefined && 'file' in output) unread(keyOf('output'))(output.file)
  const modelName = data.model ?? config.defaults?.model
  const modelKey = data.model === undefined ? ['defaults', 'model'] : keyOf('model')
  if (modelName === undefined && registry.model === undefined)
    reporter.report(keyOf('model'), "is missing; set it here or in 'defaults'")
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

type PolicyParts = Pick<ComposeParts, 'config' | 'models' | 'reporter'>

function contextOf(
  context: NonNullable<MergedAgent['data']['context']>,
  from: KeyPath,
  { config, models, reporter }: PolicyParts,
): Agent['context'] {
  if (context === 'none') return context
  const described = typeof context === 'string' ? config.contexts?.[context] : context
  const key = typeof context === 'string' ? ['contexts', context] : from
  if (described === undefined) return undefined
  return reporter.attempt(key, () => toContextPolicy(described, name => models.find([...key, 'model'], name)))
}

function toolsOf(agent: MergedAgent, { registry, reporter }: ComposeParts): readonly (Tool | ToolSource)[] {
  return named(agent, 'tools', { known: registry.tools, reporter }) ?? []
}

interface AgentToolParts extends ComposeParts {
  readonly merged: ReadonlyMap<string, MergedAgent>
}

function agentTools(agent: MergedAgent, { merged, reporter }: AgentToolParts): readonly Tool[] {
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

/** Looks up the names of a field in the registry. */
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
