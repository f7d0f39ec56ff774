import type { PendingHandoff } from '../../journal/run-state.ts'
import type { RunScope } from '../../run-context/run-scope.ts'
import { openTools } from '../../run-context/open-tools.ts'
import { findTarget } from '../../agent/find-target.ts'

/** Lets another agent go on with the run. One that is gone since the call was accepted lets the run end as failed. */
export async function handOver(run: RunScope, { to, callId, carryContext, task }: PendingHandoff): Promise<void> {
  let target: RunScope['prepared']
  try {
    target = findTarget(run.context.agents, run.prepared, to)
  } catch (error) {
    run.fail(error)
    return
  }
  run.journal.record({
    type: 'agent.changed',
    from: run.prepared.agent.name,
    to,
    model: target.modelName,
    callId,
    carryContext,
    ...(task === undefined ? {} : { task }),
  })
  run.activate(target)
  await openTools(run)
}
