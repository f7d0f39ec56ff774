import type { DelegateRequest } from '@parley/core'
import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import type { ChildResult, ChildState } from '../../journal/run-state.ts'
import type { ChildOrder } from '../../run-context/children/child-order.ts'
import type { ChildRun } from '../../run-context/children/child-runs.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { loadRunResult } from './child-result.ts'
import { orderChild } from './order-child.ts'

/** A child run that a handler requested. */
export interface Order {
  readonly request: DelegateRequest
  readonly agent: PreparedAgent
  readonly runId: string
  /** The child run in the journal, if an earlier attempt of the call started it. */
  readonly known: ChildState | undefined
  /** Each of these signals stops the child run. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/** The call whose handler requested the child run. */
interface DelegatingCall {
  readonly run: RunContext
  readonly callId: string
  readonly mayLeave: boolean
}

/**
 * Starts the child run, or resumes the one that an earlier attempt of the call started.
 * @returns The run, its result if it has ended, or the order if another process starts it.
 */
export async function startOrResumeChild(
  { run, callId, mayLeave }: DelegatingCall,
  { request, agent: prepared, runId, known }: Order,
): Promise<ChildRun | ChildResult | ChildOrder> {
  const { store, children } = run.runtime
  const { limits, input, sessionId, variables } = request
  const { definition: agent } = prepared
  const parent = { run, callId, limits }
  const record = known === undefined ? undefined : await store?.run(runId)
  if (known === undefined || store === undefined || record === undefined) {
    const { scope, principal, context } = run.facts
    const { workspace = run.facts.workspace } = request
    const order = mayLeave ? orderChild(run, parent, { prepared, request, runId }) : undefined
    const options = { scope, principal, sessionId, variables, workspace, context }
    return order ?? children.start({ parent, runId, agent, input, options })
  }
  const ended = await loadRunResult(store, runId)
  return ended ?? children.resume({ parent, runId, agent, decisions: known.decisions })
}
