import type { Agent } from '@parley/engine'
import { ParleyError } from '@parley/core'

/** The agents a server offers. */
export interface AgentDirectory {
  readonly names: readonly string[]
  /** The agent of that name; the first one for a name that is none, since clients send the names of models they know. */
  get(name: string | undefined): Agent
}

/** @throws ParleyError `config-invalid` without agents. */
export function createAgentDirectory(agents: readonly Agent[]): AgentDirectory {
  const [first] = agents
  if (first === undefined)
    throw new ParleyError({ code: 'config-invalid', path: 'agents', detail: 'is empty; a server needs an agent' })
  const byName = new Map(agents.map(agent => [agent.name, agent]))
  return { names: [...byName.keys()], get: name => byName.get(name ?? first.name) ?? first }
}
