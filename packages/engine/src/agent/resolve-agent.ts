import { ParleyError, type Model, type Tool, type ToolSource } from '@parley/core'
import { unpricedModel } from './unpriced-model.ts'
import type { Agent } from './agent.ts'
import type { AgentDefaults } from './agent-defaults.ts'
import type { ModelDirectory } from './model-directory.ts'
import { withoutUndefined } from './without-undefined.ts'

/** An agent with every name looked up and every default filled in. */
export interface ResolvedAgent extends Omit<Agent, 'model' | 'tools'> {
  readonly model: Model
  readonly tools: readonly (Tool | ToolSource)[]
}

/** What a runtime adds to the agents it runs. */
export interface AgentSurroundings {
  readonly models: ModelDirectory
  /** @throws ParleyError `tool-unknown`. */
  readonly tool: (name: string) => Tool | ToolSource
  readonly defaults: AgentDefaults
}

/** @throws ParleyError `model-unknown`, `tool-unknown`, `config-invalid` when there is no model or a limit cannot be kept. */
export function resolveAgent(agent: Agent, { models, tool, defaults }: AgentSurroundings): ResolvedAgent {
  const path = `agents.${agent.name}`
  const given = agent.model ?? defaults.model
  if (given === undefined)
    throw new ParleyError({ code: 'config-invalid', path: `${path}.model`, detail: 'is missing' })
  const model = typeof given === 'string' ? models.get(given) : given
  const limits = { ...defaults.limits, ...withoutUndefined(agent.limits) }
  const unpriced = unpricedModel({ name: agent.name, model }, limits)
  if (unpriced !== undefined) throw new ParleyError(unpriced)
  return {
    ...withoutUndefined(defaults),
    ...withoutUndefined(agent),
    name: agent.name,
    settings: { ...defaults.settings, ...withoutUndefined(agent.settings) },
    model,
    limits,
    tools: (agent.tools ?? []).map(each => (typeof each === 'string' ? tool(each) : each)),
  }
}
