import { ParleyError } from '@parley/core'
import type { Agent } from './agent.ts'
import type { AgentRegistry } from './agent-registry.ts'
import type { PreparedAgent } from './prepare-agent.ts'

/**
 * The agent that `from` means by a name: one of its own handoffs, else an agent of the runtime.
 * @throws ParleyError `agent-unknown` with the names of both.
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

/** The names of agents that `handoffs` holds as objects, followed by the names of `others`. */
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
