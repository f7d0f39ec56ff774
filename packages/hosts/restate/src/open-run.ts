import type { DurableHost, Run, Runtime } from '@parley/engine'
import { decideRun } from './decide-run.ts'
import type { RunOrder, SentDecision } from './run-order.ts'

interface TakeUp {
  /** Whether it has a journal to be taken up from. */
  readonly begun: boolean
  readonly host: DurableHost
  /** What is to be told to it first. */
  readonly decided: SentDecision | undefined
}

/** A run in this process, begun or gone on with from its journal. Throws what the runtime throws. */
export async function takeUpRun(runtime: Runtime, order: RunOrder, { begun, host, decided }: TakeUp): Promise<Run> {
  const { agent, input, ...options } = order
  if (!begun) return runtime.run(agent, input, { ...options, host })
  const going = decided === undefined ? undefined : await decideRun(runtime, order, { sent: decided, host })
  const { runId, scope, caller } = order
  // Restate lets one attempt go on at a time: whoever else seems to hold the run is shut out by the claim.
  return going ?? runtime.resume(runId, { scope, caller, host, force: true })
}
