import { ParleyError } from '@parley/core'
import type { AgentFlags } from '../flags/agent-flags.ts'
import type { Composition } from './open-composition.ts'

/**
 * The flags with the name of the agent that is asked, for whoever resumes.
 * @throws ParleyError `config-invalid` when a configuration has several and none is named.
 */
export function withChosenAgent<TFlags extends AgentFlags>(flags: TFlags, { agent, agents }: Composition): TFlags {
  if (flags.config === undefined) return flags
  if (flags.agent === undefined && agents.length > 1) {
    const detail = `is not named, and ${flags.config} has several: ${agents.map(({ name }) => name).join(', ')}`
    throw new ParleyError({ code: 'config-invalid', path: 'agent', detail })
  }
  return { ...flags, agent: agent.name }
}
