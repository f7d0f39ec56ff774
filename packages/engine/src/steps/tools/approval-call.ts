import { createId, toolAsk, toolHandoff, type ToolOutcome } from '@parley/core'
import type { CallState } from '../../journal/run-state.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { EntryBody } from '../../run-context/run-journal.ts'
import type { CallNotes } from './call-notes.ts'
import { refuseCall } from './call-outcome.ts'

/** Reason of a call that was denied because no approver decided in time. */
export const APPROVAL_TIMED_OUT = 'no approver decided in time.'

/** The outcome of a decision that does not let the call run. `undefined` if the call may run. */
export function answerOf({ request, decision }: NonNullable<CallState['approval']>): ToolOutcome | undefined {
  const denied = (reason: string): ToolOutcome => refuseCall({ code: 'tool-denied', tool: request.name, reason })
  switch (decision?.type) {
    case 'rejected':
      return denied(decision.reason)
    case 'timed-out':
      return denied(APPROVAL_TIMED_OUT)
    case 'escalated':
      if ('agent' in decision) return toolHandoff(decision.agent, { task: decision.task })
      return toolAsk(decision.prompt ?? request.prompt, { roles: decision.roles, expiresInMs: request.expiresInMs })
    case 'approved':
    case 'modified':
    case undefined:
      return undefined
  }
}

interface Asking {
  readonly state: CallState
  readonly outcome: Extract<ToolOutcome, { type: 'ask' }>
  readonly notes: CallNotes
}

/** The entry that makes a call wait for an approval. */
export function toApprovalRequested(run: RunContext, { state, outcome, notes }: Asking): EntryBody {
  const { callId, name } = state.call
  const { prompt, roles, expiresInMs } = outcome
  // Other processes compare the expiry with their own clocks.
  const now = run.runtime.clock.now()
  return {
    type: 'approval.requested',
    turn: run.state.turn,
    request: {
      approvalId: createId(now),
      callId,
      name,
      input: notes.input ?? null,
      prompt,
      ...(roles === undefined ? {} : { roles: [...roles] }),
      ...(expiresInMs === undefined ? {} : { expiresInMs, expiresAt: now + expiresInMs }),
    },
  }
}
