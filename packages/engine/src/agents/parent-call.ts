import type { Limits } from '@parley/core'
import type { RunScope } from '../run/run-scope.ts'

/** The call a sub-agent's run works for. */
export interface ParentCall {
  readonly run: RunScope
  readonly callId: string
  /** What the handler allows it beside the agent's own limits. */
  readonly limits?: Limits | undefined
}

/** Run and call ids down to a run that works for this call. */
export function pathBelow({ run, callId }: ParentCall): readonly string[] {
  return [...run.facts.path, run.facts.runId, callId]
}
