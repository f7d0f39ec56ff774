import { ParleyError } from '@parley/core'
import type { RunState } from '../../journal/run-state.ts'
import { openRequests } from '../../journal/waiting.ts'

export interface ClientCallKey {
  /** The run whose state is searched, for errors. */
  readonly runId: string
  readonly callId: string
  /** The present time, in milliseconds since the epoch. */
  readonly now: number
}

/**
 * Returns the id of the request of a call that waits for its result: a call of the run itself, or else of a child run
 * below it. A call whose time has passed takes no result, even if no process has ended it yet.
 * @throws ParleyError `client-call-unknown`, `client-call-settled`; `request-invalid` if several child runs have such a
 * call.
 */
export function findClientCall(state: RunState, { runId, callId, now }: ClientCallKey): string {
  const { calls = [] } = state
  const named = calls.flatMap(openRequests).filter(each => each.client === true && each.callId === callId)
  const own = named.filter(each => each.runId === undefined)
  const waiting = own.length > 0 ? own : named
  const [request] = waiting
  if (waiting.length > 1) {
    const runs = waiting.map(each => each.runId).join(', ')
    const detail = `must be one of ${runs}, which all have a call '${callId}'`
    throw new ParleyError({ code: 'request-invalid', path: 'runId', detail })
  }
  const { approvalId, expiresAt = Infinity } = request ?? {}
  if (approvalId !== undefined && now < expiresAt) return approvalId
  const settled = approvalId !== undefined || state.outcome !== undefined || isKnown(state, callId)
  throw new ParleyError({ code: settled ? 'client-call-settled' : 'client-call-unknown', runId, callId })
}

/** Whether the run made the call: it then has its result, or will have it without the client. */
function isKnown({ calls = [], transcript }: RunState, callId: string): boolean {
  const isOpen = calls.some(({ call }) => call.callId === callId)
  return isOpen || transcript.toArray().some(message => message.role === 'tool' && message.callId === callId)
}
