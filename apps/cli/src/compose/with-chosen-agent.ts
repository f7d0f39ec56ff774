import { ParleyError } from '@parley/core'
import type { AgentFlags } from '../flags/agent-flags.ts'
import type { Composition } from './open-composition.ts'

/**
 * Adds the name of the chosen agent to the flags, so that `resume` uses the same agent.
 * @throws ParleyError `config-invalid` if the configuration has several agents and the flags name none.
 */
export function withChosenAgent<TFlags extends AgentFlags>(flags: TFlags, { agent, agents }: Composition): TFlags {
  if (flags.config === undefined) return flags
  if (flags.agent === undefined && agents.length > 1) {
    const detail = `is required, because ${flags.config} has several agents: ${agents.map(({ name }) => name).join(', ')}`
    throw new ParleyError({ code: 'config-invalid', path: 'agent', detail })
  }
  return { ...flags, agent: agent.name }
}
