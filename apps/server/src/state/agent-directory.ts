import { ParleyError } from '@parley/core'
import type { Agent } from '@parley/engine'
import { notFound } from '../problem/problem.ts'

/** The agents that a server offers. */
export interface AgentDirectory {
  readonly names: readonly string[]
  /**
   * Finds an agent by name. An unknown name gets the first agent, because clients send the model names they know.
   * @throws Problem 404 on a server without agents.
   */
  get(name: string | undefined): Agent
}

export interface AgentDirectoryOptions {
  /** Whether the server may offer no agent, because it only shows runs. @default false */
  readonly mayBeEmpty?: boolean | undefined
}

/** Creates the directory of the agents that clients may run. @throws ParleyError `config-invalid` if `agents` is empty. */
export function createAgentDirectory(
  agents: readonly Agent[],
  { mayBeEmpty = false }: AgentDirectoryOptions = {},
): AgentDirectory {
  const [first] = agents
  if (first === undefined && !mayBeEmpty)
    throw new ParleyError({ code: 'config-invalid', path: 'agents', detail: 'must have at least one agent' })
  const byName = new Map(agents.map(agent => [agent.name, agent]))
  return {
    names: [...byName.keys()],
    get(name) {
      const found = byName.get(name ?? '') ?? first
      if (found === undefined) throw notFound('agent')
      return found
    },
  }
}
