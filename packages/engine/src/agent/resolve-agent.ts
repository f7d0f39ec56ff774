import { ParleyError, type Model, type Tool, type ToolSource } from '@parley/core'
import { unpricedModel } from './unpriced-model.ts'
import type { Agent } from './agent.ts'
import type { AgentDefaults } from './agent-defaults.ts'
import type { ModelDirectory } from './model-directory.ts'
import { withoutUndefined } from './without-undefined.ts'

/** An agent with all names looked up and all defaults filled in. */
export interface ResolvedAgent extends Omit<Agent, 'model' | 'tools'> {
  readonly model: Model
  readonly tools: readonly (Tool | ToolSource)[]
}

/** The models, tools and defaults of a runtime, with which the names in an agent's definition are looked up. */
export interface AgentSurroundings {
  readonly models: ModelDirectory
  /** Returns the tool or tool source with this name. @throws ParleyError `tool-unknown`. */
  readonly tool: (name: string) => Tool | ToolSource
  readonly defaults: AgentDefaults
}

/**
 * Looks up the names in an agent's definition and fills in the runtime's defaults.
 * @throws ParleyError `model-unknown`, `tool-unknown`, `config-invalid` if the agent has no model or a limit cannot be
 * enforced.
 */
export function resolveAgent(agent: Agent, { models, tool, defaults }: AgentSurroundings): ResolvedAgent {
  const path = `agents.${agent.name}`
  const given = agent.model ?? defaults.model
  if (given === undefined)
    throw new ParleyError({
      code: 'config-invalid',
      path: `${path}.model`,
      detail: "is missing; set it to a model: provider.model('ID'), or set defaults.model of createRuntime",
    })
  const model = typeof given === 'string' ? models.get(given) : given
  const limits = { ...defaults.limits, ...withoutUndefined(agent.limits) }
  const unpriced = unpricedModel({ name: agent.name, model }, limits)
  if (unpriced !== undefined) throw new ParleyError(unpriced)
  return {
    ...withoutUndefined(defaults),
    ...withoutUndefined(agent),
    name: agent.name,
    // A middleware that the agent names again stays at its place before the others.
    middleware: [...new Set([...(defaults.middleware ?? []), ...(agent.middleware ?? [])])],
    settings: { ...defaults.settings, ...withoutUndefined(agent.settings) },
    model,
    limits,
    tools: (agent.tools ?? []).map(each => (typeof each === 'string' ? tool(each) : each)),
  }
}
