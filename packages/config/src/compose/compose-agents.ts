import type { InputFilter, Tool, ToolSource } from '@parley/core'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import type { webhookApproval } from '@parley/middleware/webhook-approval'
import type { KeyPath } from '../schema/config.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import type { ComposedModels } from './compose-models.ts'
import type { PartFinder } from './compose-parts.ts'
import type { ConfigRegistry } from './config-registry.ts'
import type { ConfigSkills } from './config-services.ts'
import type { MergedAgent } from './merge-profile.ts'
import type { MiddlewareParts } from './part-type.ts'
import type { Reporter } from './reporter.ts'
import { toContextPolicy } from './to-context-policy.ts'
import { toInstructions } from './to-instructions.ts'

/** The parts of a configuration that its agents refer to by name: tools, middleware, input filters and skills. */
export interface AgentParts {
  readonly tools: PartFinder<readonly (Tool | ToolSource)[]>
  readonly middleware: PartFinder<MiddlewareParts>
  readonly inputFilters: PartFinder<InputFilter>
  /** The function that creates the handler of `approval: { webhook }`. `undefined` if no agent asks a webhook. */
  readonly webhookApproval: typeof webhookApproval | undefined
  /** Skills by the name of the agent. */
  readonly skills: ReadonlyMap<string, ConfigSkills>
}

/** The parts that agents are made from. */
export interface ComposeParts {
  readonly config: ConfigData
  readonly merged: ReadonlyMap<string, MergedAgent>
  readonly models: ComposedModels
  readonly parts: AgentParts
  readonly registry: ConfigRegistry
  readonly reporter: Reporter
}

/** Makes the agents of a configuration, in its order. Problems go to the reporter. */
export function composeAgents(given: ComposeParts): readonly Agent[] {
  const { merged, reporter } = given
  // Handoffs may form a ring, so the lists are filled after all agents exist.
  const handoffs = new Map([...merged.keys()].map(name => [name, [] as Agent[]]))
  const agents = new Map(
    [...merged].map(([name, agent]) => [name, { ...toAgent(name, agent, given), handoffs: handoffs.get(name) ?? [] }]),
  )
  for (const [name, { data }] of merged)
    for (const target of data.handoffs ?? []) {
      const agent = agents.get(target)
      if (agent !== undefined) handoffs.get(name)?.push(agent)
    }
  for (const [name, agent] of agents) reporter.attempt(['agents', name], () => defineAgent(agent))
  return [...agents.values()]
}

function toAgent(name: string, agent: MergedAgent, given: ComposeParts): Agent {
  const { config, models, reporter } = given
  const { data, keyOf } = agent
  const { output, approval, context } = data
  // An agent has these fields in another form, or not at all.
  const { agents: _agents, tools: _tools, approval: _approval, handoffs: _handoffs, ...others } = data
  const { skills: _skills, middleware: _middleware, inputFilters: _inputFilters, ...plain } = others
  if (output !== undefined && 'file' in output) unreadBy(keyOf('output'), given)(output.file)
  return {
    ...plain,
    name,
    model: modelOf(name, agent, given),
    instructions: instructionsOf(name, agent, given),
    context: context === undefined ? undefined : contextOf(context, keyOf('context'), { config, models, reporter }),
    output: output !== undefined && 'schema' in output ? output.schema : undefined,
    outputOptions:
      output === undefined ? undefined : { name: output.name, strategy: output.strategy, repairs: output.repairs },
    onApproval:
      approval === undefined
        ? undefined
        : reporter.attempt([...keyOf('approval'), 'webhook'], () => given.parts.webhookApproval?.(approval.webhook)),
    ...partsOf(name, agent, given),
  }
}

function modelOf(name: string, { data, keyOf }: MergedAgent, given: ComposeParts): Agent['model'] {
  const { config, models, registry, reporter } = given
  const own = data.model ?? config.defaults?.model
  if (own !== undefined) return models.find(data.model === undefined ? ['defaults', 'model'] : keyOf('model'), own)
  // A name that has a problem of its own is not missing.
  const others = [['defaults', 'model'], ...profilesOf(name, config).map(profile => ['profiles', profile, 'model'])]
  if (registry.model === undefined && !others.some(key => reporter.isFaulty(key)))
    reporter.report(keyOf('model'), "is missing; set it here or in 'defaults'")
  return registry.model
}

function profilesOf(name: string, { agents }: ConfigData): readonly string[] {
  const profile = agents[name]?.profile
  return profile === undefined ? [] : [profile]
}

function instructionsOf(name: string, { data, keyOf }: MergedAgent, given: ComposeParts): Agent['instructions'] {
  const own =
    data.instructions === undefined
      ? undefined
      : toInstructions(data.instructions, unreadBy(keyOf('instructions'), given))
  const skills = given.parts.skills.get(name)?.instructions ?? []
  if (skills.length === 0) return own
  const parts = typeof own === 'string' ? { text: own } : (own ?? [])
  return [...[parts].flat(), ...skills]
}

/** Reports a file that was not read. */
function unreadBy(key: KeyPath, { reporter }: ComposeParts): (file: string) => void {
  return file => reporter.report(key, `names the file '${file}'; only loadConfig of '@parley/config/node' reads files`)
}

/** The parts that an agent names. A middleware may bring input filters and tools. */
function partsOf(
  name: string,
  agent: MergedAgent,
  given: ComposeParts,
): Required<Pick<Agent, 'tools' | 'middleware' | 'inputFilters'>> {
  const { parts, config } = given
  const tools = namedTools(agent, parts)
  const middleware = found(agent, 'middleware', parts.middleware)
  // The middleware of the defaults is added by the runtime, but what it brings belongs to each agent.
  const shared = (config.defaults?.middleware ?? []).flatMap((each, index) =>
    asList(parts.middleware(['defaults', 'middleware', index], each)),
  )
  const brought = [...new Set([...shared, ...middleware])]
  const filters = [
    ...brought.flatMap(each => each.inputFilters ?? []),
    ...found(agent, 'inputFilters', parts.inputFilters),
  ]
  return {
    tools: [
      ...new Set([
        ...tools,
        ...(parts.skills.get(name)?.tools ?? []),
        ...brought.flatMap(each => each.tools ?? []),
        ...agentTools(agent, given),
      ]),
    ],
    middleware: middleware.length === 0 ? undefined : middleware.map(each => each.middleware),
    inputFilters: filters.length === 0 ? undefined : filters,
  }
}

/** The tools that an agent names, without the agents that it calls. */
export function namedTools(agent: MergedAgent, { tools }: AgentParts): readonly (Tool | ToolSource)[] {
  return found(agent, 'tools', tools).flat()
}

/** Finds what the names of a field refer to. */
function found<TPart>(
  { data, keyOf }: MergedAgent,
  field: 'tools' | 'middleware' | 'inputFilters',
  find: PartFinder<TPart>,
): readonly TPart[] {
  return (data[field] ?? []).flatMap((name, index) => asList(find([...keyOf(field), index], name)))
}

function asList<TItem>(item: TItem | undefined): readonly TItem[] {
  return item === undefined ? [] : [item]
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

function agentTools(agent: MergedAgent, { merged, reporter }: ComposeParts): readonly Tool[] {
  return (agent.data.agents ?? []).flatMap((given, index) => {
    const { agent: target, ...options } = typeof given === 'string' ? { agent: given } : given
    const description = merged.get(target)?.data.description
    const key = [...agent.keyOf('agents'), index]
    const tool = reporter.attempt(key, () => agentTool(target, { ...(description && { description }), ...options }))
    return tool === undefined ? [] : [tool]
  })
}
