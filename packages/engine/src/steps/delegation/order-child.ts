import { createId, type DelegateRequest } from '@parley/core'
import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import type { ChildOrder } from '../../run-context/child-order.ts'
import type { ParentCall } from '../../run-context/parent-call.ts'
import { limitsAtStart } from '../../run-context/share-limits.ts'

interface Delegated {
  readonly request: DelegateRequest
  readonly prepared: PreparedAgent
  readonly runId: string
}

/**
 * A sub-agent's run for another process to begin. Undefined where it has to go on within the call: its handler must not be
 * called a second time, or may stop it by a signal of its own, or nobody else would find the agent by its name.
 */
export function orderChild(parent: ParentCall, { request, prepared, runId }: Delegated): ChildOrder | undefined {
  const { facts, clock, context, state } = parent.run
  const effect = state.calls?.find(({ call }) => call.callId === parent.callId)?.effect ?? 'once'
  if (effect === 'once' || request.signal !== undefined) return undefined
  const { name: agent } = prepared.agent
  const isNamed = context.agents.directory.list().some(known => known.name === agent)
  if (!isNamed || context.agents.get(agent) !== prepared) return undefined
  const { input, sessionId = createId(clock.now()), variables } = request
  const { scope, principal, path } = facts
  const { workspace = facts.workspace } = request
  const limits = limitsAtStart(prepared.policy.limits, parent)
  const caller = { runId: facts.runId, callId: parent.callId, path, limits }
  return { runId, agent, input, sessionId, scope, caller, principal, variables, workspace }
}
