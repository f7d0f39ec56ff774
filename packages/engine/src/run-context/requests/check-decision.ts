import { ParleyError, type ApprovalDecision, type Submission } from '@parley/core'
import type { AgentDirectory } from '../../agent/agent-registry.ts'
import type { Agent } from '../../agent/agent.ts'
import { withGivenHandoffs } from '../../agent/handoff-target.ts'
import type { DecidedRequest } from '../../journal/decided-request.ts'
import type { PendingRequest } from '../../journal/pending-request.ts'
import { isStopping, type RunState } from '../../journal/run-state.ts'
import { openRequests } from '../../journal/waiting.ts'
import type { RunContext } from '../run-context.ts'

/** The agents that could continue the run. */
export interface DecisionRoom {
  /** Agents that the runtime knows. */
  readonly agents: Pick<AgentDirectory, 'list'>
  /** The agent that answers now. @default the runtime's agent of that name */
  readonly answering?: Pick<Agent, 'name' | 'handoffs'> | undefined
}

/**
 * Checks that the run waits for this decision, that this approver may make it, and that the agent that it names is one
 * of the agents in `room`.
 * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden`, `agent-unknown`, `request-invalid`;
 * `run-ended` if the run is being stopped, which ends the call.
 */
export function checkDecision(
  state: RunState,
  decided: DecidedRequest & { readonly runId: string },
  room?: DecisionRoom,
): void {
  const { runId, approvalId, by, decision } = decided
  if (!state.approvals.has(approvalId)) throw new ParleyError({ code: 'approval-unknown', runId, approvalId })
  const waiting = findRequest(state, approvalId)
  if (waiting === undefined) throw new ParleyError({ code: 'approval-decided', runId, approvalId })
  const isResult = decision.type === 'result'
  if (decision.type !== 'timed-out' && isResult !== (waiting.client === true)) {
    const detail = `must be ${waiting.client ? 'the result of the call, which the client executes' : 'a decision about the approval'}`
    throw new ParleyError({ code: 'request-invalid', path: 'decision', detail })
  }
  if (state.outcome !== undefined || isStopping(state)) throw new ParleyError({ code: 'run-ended', runId })
  const { roles } = waiting
  if (roles !== undefined && !roles.some(role => by?.roles.includes(role))) {
    throw new ParleyError({ code: 'approval-forbidden', approvalId, roles })
  }
  if (room === undefined || decision.type === 'result') return
  const { agents, answering = agents.list().find(({ name }) => name === state.agent) } = room
  const isOwn = state.calls?.some(({ approval }) => approval?.request.approvalId === approvalId) === true
  checkEscalation(decision, agents, isOwn ? answering : undefined)
}

/** Returns the agents to which a decision can escalate a run that this process drives. */
export function roomIn({ runtime, agent }: RunContext): DecisionRoom {
  return { agents: runtime.agents.directory, answering: agent.definition }
}

/** The request with this id, if it is unanswered. */
export function findRequest({ calls = [] }: RunState, approvalId: string): PendingRequest | undefined {
  return calls.flatMap(openRequests).find(request => request.approvalId === approvalId)
}

/**
 * Checks that the agent that a decision names can continue the run.
 * @throws ParleyError `agent-unknown`; `request-invalid` if it is the agent whose call is suspended.
 */
function checkEscalation(
  decision: ApprovalDecision,
  agents: DecisionRoom['agents'],
  asking: DecisionRoom['answering'],
): void {
  if (decision.type !== 'escalated' || !('agent' in decision)) return
  const { agent } = decision
  if (agent === asking?.name) {
    const detail = `must be another agent than '${agent}', whose call is suspended`
    throw new ParleyError({ code: 'request-invalid', path: 'decision.agent', detail })
  }
  const known = withGivenHandoffs(
    asking?.handoffs,
    agents.list().map(({ name }) => name),
  )
  if (!known.includes(agent)) throw new ParleyError({ code: 'agent-unknown', agent, known })
}

/**
 * Records a checked answer, and ends the question to the approval handler. Does nothing if the request is answered.
 * @param commandId Id of the inbox command, if the answer came from there.
 */
export function recordDecision(
  run: RunContext,
  { approvalId, decision, by }: DecidedRequest,
  commandId?: string,
): void {
  const request = findRequest(run.state, approvalId)
  if (request === undefined) return
  const given = { ...(by === undefined ? {} : { by }), ...(commandId === undefined ? {} : { commandId }) }
  if (request.client)
    run.journal.record({
      type: 'tool.submitted',
      requestId: approvalId,
      ...(request.runId === undefined ? { callId: request.callId } : {}),
      submission: decision as Submission,
      ...given,
    })
  else run.journal.record({ type: 'approval.decided', approvalId, decision: decision as ApprovalDecision, ...given })
  run.approvals.announce(approvalId)
}
