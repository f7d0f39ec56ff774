import { ParleyError, type ApprovalRequest } from '@parley/core'
import type { Agent } from '../../agent/agent.ts'
import type { AgentDirectory } from '../../agent/agent-registry.ts'
import { checkEscalation } from './check-escalation.ts'
import type { DecidedApproval } from '../../journal/decided-approval.ts'
import type { RunState } from '../../journal/run-state.ts'
import type { RunContext } from '../run-context.ts'
import { openRequests } from '../../journal/waiting.ts'

/** Who could go on with the run. */
export interface DecisionRoom {
  /** Those the runtime knows. */
  readonly agents: Pick<AgentDirectory, 'list'>
  /** The agent that answers now. @default the one the runtime knows by its name */
  readonly answering?: Pick<Agent, 'name' | 'handoffs'> | undefined
}

/**
 * Whether the state waits for this decision, by this person, and the agent it may name can be found in `room`.
 * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden`, `agent-unknown`, `request-invalid`.
 */
export function checkDecision(
  state: RunState,
  decided: DecidedApproval & { readonly runId: string },
  room?: DecisionRoom,
): void {
  const { runId, approvalId, by, decision } = decided
  if (!state.approvals.has(approvalId)) throw new ParleyError({ code: 'approval-unknown', runId, approvalId })
  const waiting = findRequest(state, approvalId)
  if (waiting === undefined) throw new ParleyError({ code: 'approval-decided', runId, approvalId })
  const { roles } = waiting
  if (roles !== undefined && !roles.some(role => by?.roles.includes(role))) {
    throw new ParleyError({ code: 'approval-forbidden', approvalId, roles })
  }
  if (room === undefined) return
  const { agents, answering = agents.list().find(({ name }) => name === state.agent) } = room
  const isOwn = state.calls?.some(({ approval }) => approval?.request.approvalId === approvalId) === true
  checkEscalation(decision, { agents, asking: isOwn ? answering : undefined })
}

/** The agents that could continue a run that this process drives. */
export function roomIn({ runtime, agent }: RunContext): DecisionRoom {
  return { agents: runtime.agents.directory, answering: agent.definition }
}

/** The request of that id, as long as nobody has decided it. */
export function findRequest({ calls = [] }: RunState, approvalId: string): ApprovalRequest | undefined {
  return calls.flatMap(openRequests).find(request => request.approvalId === approvalId)
}
