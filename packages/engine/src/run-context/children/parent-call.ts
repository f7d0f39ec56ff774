import type { Clock, Limits, RunFacts } from '@parley/core'
import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import type { RunState } from '../../journal/run-state.ts'
import type { Delegations } from './delegations.ts'
import type { ParentRef } from './parent-ref.ts'
import type { LimitedRun } from './spent-of-runs.ts'
import type { RequestCapture } from '../request-capture.ts'
import type { RunApprovals } from '../run-approvals.ts'
import type { RunFeed } from '../feed/run-feed.ts'

/** The parts of a parent run that a child run uses, if this process drives both. */
export interface ParentRun {
  readonly facts: RunFacts
  readonly clock: Clock
  readonly state: RunState
  readonly feed: RunFeed
  readonly approvals: RunApprovals
  readonly delegations: Delegations
  readonly prompt: { readonly captures: RequestCapture }
  readonly limited: LimitedRun
}

/** The tool call that a child run works for, if the same process drives the parent run. */
export interface ParentCall {
  readonly run: ParentRun
  readonly callId: string
  /** Limits that the handler sets in addition to the agent's own. */
  readonly limits?: Limits | undefined
}

/** Run and call ids from the root run down to a child run. Empty for a run without a parent. */
export function pathBelow(parent: ParentCall | undefined, ref: ParentRef | undefined): readonly string[] {
  if (parent !== undefined) return [...parent.run.facts.path, parent.run.facts.runId, parent.callId]
  return ref === undefined ? [] : [...ref.path, ref.runId, ref.callId]
}

/** The parent call as the first entry of the child run's journal names it. */
export function parentOf(
  parent: ParentCall | undefined,
  ref: ParentRef | undefined,
): { readonly runId: string; readonly callId: string } | undefined {
  if (parent !== undefined) return { runId: parent.run.facts.runId, callId: parent.callId }
  return ref === undefined ? undefined : { runId: ref.runId, callId: ref.callId }
}

/**
 * Returns the agent. If a parent run in another process has set limits for the run, the agent has these limits instead
 * of its own.
 */
export function withinParent(ref: ParentRef | undefined, agent: PreparedAgent): PreparedAgent {
  if (ref === undefined) return agent
  return { ...agent, policy: { ...agent.policy, limits: ref.limits } }
}
