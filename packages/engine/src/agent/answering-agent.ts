import type { AgentRegistry } from './agent-registry.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { findTarget } from './find-target.ts'

/**
 * Who answers a run that began with `first` and was handed over so often.
 * @throws ParleyError `agent-unknown`.
 */
export function answeringAgent(
  agents: AgentRegistry,
  first: PreparedAgent,
  handoffs: readonly string[],
): PreparedAgent {
  return handoffs.reduce((from, to) => findTarget(agents, from, to), first)
}
