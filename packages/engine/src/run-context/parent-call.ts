import type { Limits } from '@parley/core'
import type { RunScope } from './run-scope.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import type { Caller } from './caller.ts'

/** The call a sub-agent's run works for. */
export interface ParentCall {
  readonly run: RunScope
  readonly callId: string
  /** What the handler allows it beside the agent's own limits. */
  readonly limits?: Limits | undefined
}

/** Run and call ids down to a run that works for a call, be it of a run here or elsewhere. */
export function pathBelow(parent: ParentCall | undefined, caller: Caller | undefined): readonly string[] {
  if (parent !== undefined) return [...parent.run.facts.path, parent.run.facts.runId, parent.callId]
  return caller === undefined ? [] : [...caller.path, caller.runId, caller.callId]
}

/** The call as the journal of a run that works for it names it. */
export function callOf(
  parent: ParentCall | undefined,
  caller: Caller | undefined,
): { readonly runId: string; readonly callId: string } | undefined {
  if (parent !== undefined) return { runId: parent.run.facts.runId, callId: parent.callId }
  return caller === undefined ? undefined : { runId: caller.runId, callId: caller.callId }
}

/** The agent within the limits that its caller, which is driven elsewhere, has set it. */
export function prepareFor(caller: Caller | undefined, prepared: PreparedAgent): PreparedAgent {
  if (caller === undefined) return prepared
  return { ...prepared, policy: { ...prepared.policy, limits: caller.limits } }
}
