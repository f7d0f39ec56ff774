import {
  ParleyError,
  type ApprovalRequest,
  type ApprovalDecision,
  type Principal,
  type CancelReason,
} from '@parley/core'
import type { AgentDirectory } from '../agent/agent-registry.ts'
import type { Agent } from '../agent/agent.ts'
import type { DecidedApproval } from '../journal/decided-approval.ts'
import type { RunState } from '../journal/run-state.ts'
import { openRequests } from '../journal/waiting.ts'
import type { RunContext } from './run-context.ts'

/** The agents that could continue the run. */
export interface DecisionRoom {
  /** Agents that the runtime knows. */
  readonly agents: Pick<AgentDirectory, 'list'>
  /** The agent that answers now. @default the runtime's agent of that name */
  readonly answering?: Pick<Agent, 'name' | 'handoffs'> | undefined
}

/**
 * Checks that the run waits for this decision by this approver, and that `room` has the agent that the decision names.
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

/** The request with this id, if it is undecided. */
export function findRequest({ calls = [] }: RunState, approvalId: string): ApprovalRequest | undefined {
  return calls.flatMap(openRequests).find(request => request.approvalId === approvalId)
}

interface EscalationRoom {
  /** Agents that the runtime knows. */
  readonly agents: Pick<AgentDirectory, 'list'>
  /** The agent whose call is suspended. `undefined` if it is unknown in this process. */
  readonly asking?: Pick<Agent, 'name' | 'handoffs'> | undefined
}

/**
 * Checks that the agent that a decision names can continue the run.
 * @throws ParleyError `agent-unknown`; `request-invalid` if it is the agent whose call is suspended.
 */
function checkEscalation(decision: ApprovalDecision, { agents, asking }: EscalationRoom): void {
  if (decision.type !== 'escalated' || !('agent' in decision)) return
  const { agent } = decision
  if (agent === asking?.name) {
    const detail = `must be another agent than '${agent}', whose call is suspended`
    throw new ParleyError({ code: 'request-invalid', path: 'decision.agent', detail })
  }
  const given = (asking?.handoffs ?? []).flatMap(handoff => (typeof handoff === 'string' ? [] : [handoff.name]))
  const known = [...new Set([...given, ...agents.list().map(({ name }) => name)])]
  if (!known.includes(agent)) throw new ParleyError({ code: 'agent-unknown', agent, known })
}

export interface Decided {
  readonly approvalId: string
  readonly decision: ApprovalDecision
  readonly by?: Principal | undefined
}

/** Records a checked decision, and ends the question to the approval handler. */
export function recordDecision(run: RunContext, { approvalId, decision, by }: Decided): void {
  run.journal.record({ type: 'approval.decided', approvalId, decision, ...(by === undefined ? {} : { by }) })
  run.approvals.announce(approvalId)
}

/** Records a cancel and stops the run, unless it is already stopped. */
export function recordCancel({ state, journal, stopper }: RunContext, reason: CancelReason): void {
  if (state.outcome !== undefined || state.cancel !== undefined || stopper.stopped) return
  journal.record({ type: 'cancel.requested', reason })
  stopper.stop(new ParleyError({ code: 'cancelled', ...reason }))
}
