import { ParleyError, type ApprovalDecision } from '@parley/core'
import type { Agent } from '../../agent/agent.ts'
import type { AgentDirectory } from '../../agent/agent-registry.ts'

export interface EscalationRoom {
  /** Those the runtime knows. */
  readonly agents: Pick<AgentDirectory, 'list'>
  /** The agent whose call waits; undefined for one that is not known here, as a sub-agent may be. */
  readonly asking?: Pick<Agent, 'name' | 'handoffs'> | undefined
}

/**
 * Whether the agent that a decision names can go on with the run.
 * @throws ParleyError `agent-unknown`; `request-invalid` for the agent that asks.
 */
export function checkEscalation(decision: ApprovalDecision, { agents, asking }: EscalationRoom): void {
  if (decision.type !== 'escalated' || !('agent' in decision)) return
  const { agent } = decision
  if (agent === asking?.name) {
    const detail = `'${agent}' is the agent that asks`
    throw new ParleyError({ code: 'request-invalid', path: 'decision.agent', detail })
  }
  const given = (asking?.handoffs ?? []).flatMap(handoff => (typeof handoff === 'string' ? [] : [handoff.name]))
  const known = [...new Set([...given, ...agents.list().map(({ name }) => name)])]
  if (!known.includes(agent)) throw new ParleyError({ code: 'agent-unknown', agent, known })
}
