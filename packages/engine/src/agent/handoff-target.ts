import { ParleyError } from '@parley/core'
import type { Agent } from './agent.ts'
import type { AgentRegistry } from './agent-registry.ts'
import type { PreparedAgent } from './prepare-agent.ts'

/**
 * Returns the agent to which `from` refers by a name: one of its own handoffs, otherwise an agent of the runtime.
 * @throws ParleyError `agent-unknown` with the names of its handoffs and of the runtime's agents.
 */
export function findTarget(agents: AgentRegistry, from: PreparedAgent, name: string): PreparedAgent {
  const { handoffs = [] } = from.definition
  for (const handoff of handoffs) if (typeof handoff !== 'string' && handoff.name === name) return agents.get(handoff)
  try {
    return agents.get(name)
  } catch (error) {
    if (!ParleyError.is(error, 'agent-unknown')) throw error
    throw new ParleyError({ ...error.info, known: withGivenHandoffs(handoffs, error.info.known) })
  }
}

/** Returns the names of the agents that `handoffs` contains as objects, followed by `others`. */
export function withGivenHandoffs(handoffs: Agent['handoffs'] = [], others: readonly string[]): string[] {
  const given = handoffs.flatMap(handoff => (typeof handoff === 'string' ? [] : [handoff.name]))
  return [...new Set([...given, ...others])]
}

/**
 * The agent that answers after a run's handoffs.
 * @throws ParleyError `agent-unknown`.
 */
export function answeringAgent(
  agents: AgentRegistry,
  first: PreparedAgent,
  handoffs: readonly string[],
): PreparedAgent {
  return handoffs.reduce((from, to) => findTarget(agents, from, to), first)
}
