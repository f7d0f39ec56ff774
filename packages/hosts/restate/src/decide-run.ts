import { ParleyError } from '@parley/core'
import type { DurableHost, Run, Runtime } from '@parley/engine'
import type { RunOrder, SentDecision } from './run-order.ts'

/** Tells a run what was decided. Undefined when that has counted in an attempt whose end Restate has not seen. */
export async function decideRun(
  runtime: Runtime,
  { runId, scope, caller }: RunOrder,
  { sent, host }: { readonly sent: SentDecision; readonly host: DurableHost },
): Promise<Run | undefined> {
  const { approvalId, decision, by } = sent
  try {
    return await runtime.decide(runId, approvalId, { scope, caller, host, force: true, decision, by })
  } catch (error) {
    if (!ParleyError.is(error, 'approval-decided')) throw error
    return undefined
  }
}
