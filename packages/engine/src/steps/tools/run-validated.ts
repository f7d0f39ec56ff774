import type { Json, ToolCall, ToolOutcome } from '@parley/core'
import type { Validation } from '@parley/core/json-schema'
import type { CallNotes } from './call-notes.ts'
import { callGates, enterGates } from './enter-call.ts'
import { checkPermission } from './check-permission.ts'
import { invokeHandler } from './invoke-handler.ts'
import type { PreparedTool } from '../../agent/tools/prepare-tool.ts'
import { reconcileCall } from './reconcile-call.ts'
import { refuseCall, toOutcome, withValidOutput } from './call-outcome.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { CallState } from '../../journal/run-state.ts'

export interface ValidatedCall {
  readonly prepared: PreparedTool
  /** The call as the last middleware passed it on. */
  readonly given: ToolCall
  readonly state: CallState
  readonly notes: CallNotes
}

/** Validates the input, checks the permission, makes the start durable, and then runs the handler. */
export async function runValidated(
  run: RunContext,
  { prepared, given, state, notes }: ValidatedCall,
): Promise<ToolOutcome> {
  const { tool, effect, gate } = prepared
  const { callId, turn } = given
  notes.input = given.input as Json
  // Most schemas validate synchronously, and waiting slows down each call (bench: tricks sync-validation).
  const checking = prepared.validate(given.input)
  const checked: Validation = checking instanceof Promise ? await checking : checking
  if (!checked.ok) return refuseCall({ code: 'tool-input-invalid', tool: tool.name, issues: [...checked.issues] })
  const obstacle = checkPermission({
    tool,
    permission: run.agent.permissionOf?.(tool.name) ?? tool.permission,
    given: given.input,
    validated: checked.value,
    state,
    run: run.facts,
  })
  if (obstacle !== undefined) return obstacle.type === 'ask' && !run.approvals.canAsk ? noApprover(tool.name) : obstacle
  const gates = callGates(run, gate)
  const leave = gates === undefined ? undefined : await enterGates(run, gates)
  if (gates !== undefined && leave === undefined)
    return refuseCall({ code: 'tool-cancelled', tool: tool.name, started: state.attempts > 0 })
  try {
    // A middleware may have aborted the call while it waited for its place.
    if (given.signal.aborted)
      return refuseCall({ code: 'tool-cancelled', tool: tool.name, started: state.attempts > 0 })
    const input = checked.value as Json
    if (state.attempts > 0 && state.effect === 'once') {
      const known = await reconcileCall(run, { prepared, call: given, input, notes })
      if (known !== undefined) return known
    }
    const attempt = state.attempts + 1
    const repaired = notes.repaired ? { repaired: true as const } : {}
    run.journal.record({ type: 'tool.started', turn, callId, name: tool.name, input, effect, attempt, ...repaired })
    await run.journal.commit()
    const startedAt = run.clock.now()
    const approved = state.approval?.decision !== undefined
    const handled = await invokeHandler(run, { tool, call: given, input, approved, notes })
    notes.durationMs = run.clock.now() - startedAt
    if (prepared.validateOutput === undefined) return toOutcome(handled, tool.name)
    return await withValidOutput(handled, prepared.validateOutput, tool.name)
  } finally {
    leave?.()
  }
}

function noApprover(tool: string): ToolOutcome {
  const reason = 'it requires an approval, and there is neither an approval handler nor a store to suspend the run in.'
  return refuseCall({ code: 'tool-denied', tool, reason })
}
