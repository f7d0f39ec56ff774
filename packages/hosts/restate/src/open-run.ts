import { ParleyError } from '@parley/core'
import type { Run, Runtime } from '@parley/engine'
import type { DurableHost } from '@parley/engine/host'
import type { RunOrder, SentDecision } from './run-order.ts'

interface OpenRunOptions {
  /** Whether the store has a journal of the run. */
  readonly started: boolean
  readonly host: DurableHost
  /** A decision to apply before the run continues. */
  readonly decided: SentDecision | undefined
}

/** Starts a run in this process, or resumes it from its journal. Throws what the runtime throws. */
export async function openRun(
  runtime: Runtime,
  order: RunOrder,
  { started, host, decided }: OpenRunOptions,
): Promise<Run> {
  const { agent, input, ...options } = order
  if (!started) return runtime.run(agent, input, { ...options, host })
  const run = decided === undefined ? undefined : await decideRun(runtime, order, { sent: decided, host })
  const { runId, scope, parent } = order
  // Restate allows one attempt at a time, so another worker's lease is stale. The new claim fences that worker.
  return run ?? runtime.resume(runId, { scope, parent, host, force: true })
}

/** Applies a decision. Returns `undefined` if an earlier attempt applied it and crashed before Restate recorded that. */
export async function decideRun(
  runtime: Runtime,
  { runId, scope, parent }: RunOrder,
  { sent, host }: { readonly sent: SentDecision; readonly host: DurableHost },
): Promise<Run | undefined> {
  const { approvalId, decision, by } = sent
  try {
    return await runtime.decide(runId, approvalId, { scope, parent, host, force: true, decision, by })
  } catch (error) {
    if (!ParleyError.is(error, 'approval-decided')) throw error
    return undefined
  }
}
