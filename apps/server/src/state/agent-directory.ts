import { ParleyError } from '@parley/core'
import type { Agent } from '@parley/engine'

/** The agents that a server offers. */
export interface AgentDirectory {
  readonly names: readonly string[]
  /** Finds an agent by name. An unknown name gets the first agent, because clients send the model names they know. */
  get(name: string | undefined): Agent
}

/** Creates the directory of the agents that clients may run. @throws ParleyError `config-invalid` if `agents` is empty. */
export function createAgentDirectory(agents: readonly Agent[]): AgentDirectory {
  const [first] = agents
  if (first === undefined)
    throw new ParleyError({ code: 'config-invalid', path: 'agents', detail: 'must have at least one agent' })
  const byName = new Map(agents.map(agent => [agent.name, agent]))
  return { names: [...byName.keys()], get: name => byName.get(name ?? first.name) ?? first }
}
