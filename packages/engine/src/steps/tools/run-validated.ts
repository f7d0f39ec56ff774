import { storageFault, type Json, type ToolCall, type ToolOutcome } from '@parley/core'
import type { CallNotes } from './call-notes.ts'
import { callGates, enterGates } from './enter-call.ts'
import { checkPermission } from './check-permission.ts'
import { invokeHandler } from './invoke-handler.ts'
import type { PreparedTool } from '../../agent/tools/prepare-tool.ts'
import { isInterrupted, reconcileCall } from './interrupted-call.ts'
import { refuseCall, toOutcome, withValidOutput } from './call-outcome.ts'
import { submittedOutcome } from './client-call.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { CallState } from '../../journal/run-state.ts'

export interface ValidatedCall {
  readonly prepared: PreparedTool
  /** The call as the last middleware passed it on. */
  readonly given: ToolCall
  readonly state: CallState
  readonly notes: CallNotes
  /** The input as the model's arguments say it. */
  readonly parsed: unknown
}

/** Validates the input, checks the permission, makes the start durable, and then runs the handler. */
export async function runValidated(
  run: RunContext,
  { prepared, given, state, notes, parsed }: ValidatedCall,
): Promise<ToolOutcome> {
  const { tool, effect, gate } = prepared
  const { callId, turn } = given
  notes.input = given.input as Json
  // A schema of a tool may visit each level of its input. The text of the model's arguments was checked before it was parsed.
  const fault = given.input === parsed ? undefined : storageFault(given.input)
  if (fault !== undefined) {
    notes.input = null
    return refuseCall({ code: 'tool-input-invalid', tool: tool.name, issues: [{ path: '', message: fault }] })
  }
  // Most checks have nothing to wait for, and `await` creates a promise anyway (bench: tricks finished-check).
  const checking = prepared.validate(given.input)
  const checked = checking instanceof Promise ? await checking : checking
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
  const submission = state.client?.submission
  if (submission !== undefined) return submittedOutcome(prepared, submission, state.client?.request.expiresInMs)
  const gates = callGates(run, gate)
  const leave = gates === undefined ? undefined : await enterGates(run, gates)
  if (gates !== undefined && leave === undefined)
    return refuseCall({ code: 'tool-cancelled', tool: tool.name, started: state.attempts > 0 })
  try {
    // A middleware may have aborted the call while it waited for its place.
    if (given.signal.aborted)
      return refuseCall({ code: 'tool-cancelled', tool: tool.name, started: state.attempts > 0 })
    const input = checked.value as Json
    if (isInterrupted(state)) {
      const known = await reconcileCall(run, { prepared, call: given, input, notes })
      if (known !== undefined) return known
    }
    const attempt = state.attempts + 1
    const repaired = notes.repaired ? { repaired: true as const } : {}
    const started = run.journal.record({
      type: 'tool.started',
      turn,
      callId,
      name: tool.name,
      input,
      effect,
      attempt,
      ...repaired,
    })
    const saving = run.journal.commit()
    if (saving !== undefined) await saving
    // A stop during the commit: a handler that starts now would not notice it.
    if (given.signal.aborted)
      return refuseCall({ code: 'tool-cancelled', tool: tool.name, started: state.attempts > 0 })
    // Without a store no time has passed since the entry.
    const startedAt = saving === undefined ? started.at : run.clock.now()
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
