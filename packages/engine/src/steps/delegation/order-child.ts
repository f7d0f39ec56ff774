import { createId, type DelegateRequest } from '@parley/core'
import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import type { ChildOrder } from '../../run-context/children/child-order.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { ParentCall } from '../../run-context/children/parent-call.ts'
import { limitsAtStart } from '../../run-context/children/share-limits.ts'

interface Delegated {
  readonly request: DelegateRequest
  readonly prepared: PreparedAgent
  readonly runId: string
}

/**
 * Describes a child run that another process starts. `undefined` if the child must run inside the tool call: the tool
 * must not be executed again, the handler gave it a signal of its own, or the runtime does not know the agent by name.
 */
export function orderChild(
  run: RunContext,
  parent: ParentCall,
  { request, prepared, runId }: Delegated,
): ChildOrder | undefined {
  const { facts, clock, runtime, state } = run
  const effect = state.calls?.find(({ call }) => call.callId === parent.callId)?.effect ?? 'once'
  if (effect === 'once' || request.signal !== undefined) return undefined
  const { name: agent } = prepared.definition
  const isNamed = runtime.agents.directory.list().some(known => known.name === agent)
  if (!isNamed || runtime.agents.get(agent) !== prepared) return undefined
  const { input, sessionId = createId(clock.now()), variables } = request
  const { scope, principal, path } = facts
  const { workspace = facts.workspace } = request
  const limits = limitsAtStart(prepared.policy.limits, parent)
  const ref = { runId: facts.runId, callId: parent.callId, path, limits }
  return { runId, agent, input, sessionId, scope, parent: ref, principal, variables, workspace, context: state.given }
}
