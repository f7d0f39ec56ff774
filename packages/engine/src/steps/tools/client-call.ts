import { createId, toolError, toolOk, type Submission, type ToolCallPart, type ToolOutcome } from '@parley/core'
import type { PreparedTool } from '../../agent/tools/prepare-tool.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { EntryBody } from '../../run-context/run-journal.ts'
import type { CallNotes } from './call-notes.ts'
import { refuseCall } from './call-outcome.ts'

/** Reason of a call that was denied because the run cannot wait for its result. */
export const NO_STORE = 'its result comes from outside, and there is no store to suspend the run in.'

/** The entry that makes a call wait for a result from outside. */
export function toToolRequested(
  run: RunContext,
  { callId, name }: ToolCallPart,
  { input = null }: CallNotes,
): EntryBody {
  const now = run.clock.now()
  const { execution, timeoutMs } = run.tools.byName.get(name)?.tool ?? {}
  const expiresInMs = timeoutMs ?? run.agent.definition.toolTimeoutMs
  const by = execution === 'client' ? { execution } : {}
  const expiry = expiresInMs === undefined ? {} : { expiresInMs, expiresAt: Math.ceil(now + expiresInMs) }
  return {
    type: 'tool.requested',
    turn: run.state.turn,
    call: { requestId: createId(now), callId, name, ...by, input, ...expiry },
  }
}

/** The outcome of a call whose result was submitted, or did not arrive within `waitedMs`. */
export async function submittedOutcome(
  { tool: { name }, validateOutput }: PreparedTool,
  submission: Submission,
  waitedMs = 0,
): Promise<ToolOutcome> {
  if (submission.type === 'timed-out') return refuseCall({ code: 'tool-timeout', tool: name, ms: waitedMs })
  const { content, structured, isError } = submission
  if (isError) return toolError(content)
  const checked = await validateOutput?.(structured)
  if (checked?.ok === false) return refuseCall({ code: 'tool-output-invalid', tool: name, issues: [...checked.issues] })
  return toolOk(content, structured)
}
