import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import { findTarget } from '../../agent/handoff-target.ts'
import type { ActionOf } from '../../journal/decide.ts'
import { failRun } from '../../run-context/fail-run.ts'
import { openAgent } from '../../run-context/open-agent.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** Lets another agent continue the run. If the agent was unregistered since the call was accepted, the run fails. */
export async function handOver(run: RunContext, { handoff }: ActionOf<'hand-over'>): Promise<void> {
  const { to, callId, carryContext, task } = handoff
  let target: PreparedAgent
  try {
    target = findTarget(run.runtime.agents, run.agent, to)
  } catch (error) {
    failRun(run.journal, error, 'handoff')
    return
  }
  run.journal.record({
    type: 'agent.changed',
    from: run.agent.definition.name,
    to,
    model: target.modelName,
    snapshot: target.snapshot(),
    callId,
    carryContext,
    ...(task === undefined ? {} : { task }),
  })
  run.switchAgent(target)
  await openAgent(run)
}
