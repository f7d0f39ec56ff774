import { ParleyError } from '@parley/core'
import { defineAgent, type Agent } from './agent.ts'
import { prepareAgent, type PreparedAgent } from './prepare-agent.ts'

/** The agents a runtime knows by name, prepared once. */
export interface AgentRegistry {
  /**
   * The agent of that name, or the one given whole.
   * @throws ParleyError `agent-unknown`, and for an agent given whole what `defineAgent` throws.
   */
  get(agent: string | Agent): PreparedAgent
}

/** @throws ParleyError `config-invalid` for two agents of one name, and what `defineAgent` throws. */
export function createAgentRegistry(agents: readonly Agent[]): AgentRegistry {
  const byName = new Map<string, PreparedAgent>()
  const byIdentity = new WeakMap<Agent, PreparedAgent>()
  for (const agent of agents) {
    if (byName.has(agent.name)) {
      throw new ParleyError({ code: 'config-invalid', path: 'agents', detail: `two agents are named '${agent.name}'` })
    }
    byName.set(agent.name, prepare(agent))
  }

  /** With the agents it may hand over to, so that a mistake in one of them shows here and not in the middle of a run. */
  function prepare(agent: Agent): PreparedAgent {
    const known = byIdentity.get(agent)
    if (known !== undefined) return known
    const prepared = prepareAgent(defineAgent(agent))
    byIdentity.set(agent, prepared)
    for (const handoff of agent.handoffs ?? []) if (typeof handoff !== 'string') prepare(handoff)
    return prepared
  }

  return {
    get(agent) {
      if (typeof agent === 'string') {
        const known = byName.get(agent)
        if (known === undefined) throw new ParleyError({ code: 'agent-unknown', agent, known: [...byName.keys()] })
        return known
      }
      return prepare(agent)
    },
  }
}
