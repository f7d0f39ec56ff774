import { describeError, ParleyError, toErrorInfo, toolOk, type ErrorInfo, type ToolHandoff } from '@parley/core'
import type { EntryBody } from '../../run-context/run-journal.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { refuseCall, toToolEnded, type EndedCall } from './call-outcome.ts'
import { findTarget } from '../../agent/handoff-target.ts'
import { unpricedModel } from '../../agent/unpriced-model.ts'

/** Returns the entry of a call that hands the run over. It contains the handoff, or the error that prevents it. */
export function acceptHandoff(run: RunContext, handoff: ToolHandoff, ended: Omit<EndedCall, 'outcome'>): EntryBody {
  const obstacle = findObstacle(run, handoff, ended.call.name)
  if (obstacle !== undefined) return toToolEnded({ ...ended, outcome: refuseCall(obstacle) })
  const { target: to, carryContext, task } = handoff
  const body = toToolEnded({ ...ended, outcome: toolOk(wordsFor(run, to, ended.call.callId)) })
  return { ...body, handoff: { to, carryContext, ...(task === undefined ? {} : { task }) } }
}

function wordsFor({ state }: RunContext, to: string, callId: string): string {
  const decision = state.calls?.find(({ call }) => call.callId === callId)?.approval?.decision
  if (decision?.type !== 'escalated') return `Handed over to ${to}.`
  return `The call was not run: the approver let ${to} continue instead.`
}

function findObstacle(run: RunContext, { target }: ToolHandoff, tool: string): ErrorInfo | undefined {
  const fail = (detail: string): ErrorInfo => ({ code: 'tool-failed', tool, detail })
  const { handoff } = run.state
  if (handoff !== undefined) return fail(`another call of the same answer has handed over to '${handoff.to}'.`)
  if (target === run.agent.definition.name) return fail(`'${target}' is the agent that answers already.`)
  try {
    const { definition, instructions } = findTarget(run.runtime.agents, run.agent, target)
    const missing = instructions.missing(run.state.variables ?? {})
    if (missing.length > 0)
      return fail(`the instructions of '${target}' need ${missing.join(', ')}, which this run was not given.`)
    return unpricedModel(definition, run.policy.limits)
  } catch (error) {
    return ParleyError.is(error, 'agent-unknown') ? error.info : fail(describeError(toErrorInfo(error)))
  }
}
