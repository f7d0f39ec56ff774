import type { ApprovalRequest, ErrorInfo, LimitHit, Outcome } from '@parley/core'
import { limitHit, type Limits } from './limits.ts'
import { isStopping, type CallState, type QueuedInput, type RunState } from './run-state.ts'

/** What an agent's definition says about deciding. */
export interface Policy {
  readonly limits: Limits
  /** What happens at a limit. */
  readonly onLimit: 'stop' | 'fail' | 'answer'
  /** Whether a call that is refused as too long is made again with less, once. @default false */
  readonly compacts?: boolean | undefined
}

/** The next thing to do. */
export type Action =
  /** Let these queued messages join the transcript. */
  | { readonly type: 'take-queued'; readonly inputs: readonly QueuedInput[] }
  | { readonly type: 'reach-limit'; readonly hit: LimitHit }
  /** Leave word of the limit in the transcript. */
  | { readonly type: 'note-limit'; readonly hit: LimitHit }
  /** Ask the model. A `final` call has no tools. */
  | { readonly type: 'call-model'; readonly turn: number; readonly final: boolean }
  /** Have less to send: the model has refused the call as too long. */
  | { readonly type: 'compact'; readonly turn: number; readonly error: ErrorInfo }
  /** Bring every open call to its result. */
  | { readonly type: 'run-tools'; readonly calls: readonly CallState[] }
  /** Every open call waits for a person. */
  | { readonly type: 'await-decision'; readonly approvals: readonly ApprovalRequest[] }
  | { readonly type: 'end'; readonly outcome: Outcome }

/** What to do in this state. Pure, synchronous and total. */
export function decide(state: RunState, policy: Policy): Action {
  if (state.outcome !== undefined) return end(state.outcome)
  if (state.calls !== undefined) return withCalls(state, state.calls)
  if (state.cancel !== undefined) return end({ status: 'cancelled', reason: state.cancel })
  if (state.failure !== undefined) return afterFailure(state, state.failure, policy)
  if (state.limit !== undefined) return atLimit(state, state.limit, policy)

  const steering = state.queue.filter(queued => queued.kind === 'steering')
  if (steering.length > 0) return { type: 'take-queued', inputs: steering }

  const answered = state.turn > 0 && state.transcript.last?.role === 'assistant' && state.finish !== 'pause'
  if (answered) {
    const followUp = state.queue[0]
    if (followUp !== undefined) return { type: 'take-queued', inputs: [followUp] }
    return end({ status: 'completed', finish: state.finish ?? 'stop' })
  }
  const hit = limitHit(state, policy.limits)
  if (hit !== undefined) return { type: 'reach-limit', hit }
  return { type: 'call-model', turn: state.turn + 1, final: false }
}

function afterFailure({ turn, limit, context }: RunState, error: ErrorInfo, policy: Policy): Action {
  const mayCompact = policy.compacts === true && limit === undefined && context.overflowTurn !== turn
  if (mayCompact && error.code === 'model-context-length') return { type: 'compact', turn, error }
  return end({ status: 'failed', error })
}

function withCalls(state: RunState, calls: readonly CallState[]): Action {
  const open = calls.filter(call => call.result === undefined)
  const waiting = open.flatMap(({ approval }) => (approval?.decision === undefined ? (approval?.request ?? []) : []))
  // A run that is being stopped asks nobody any more: the calls get their results.
  if (waiting.length < open.length || isStopping(state)) return { type: 'run-tools', calls: open }
  return { type: 'await-decision', approvals: waiting }
}

function atLimit(state: RunState, hit: LimitHit, policy: Policy): Action {
  if (state.afterLimit === 'nothing') return { type: 'note-limit', hit }
  // Past the duration there is no time left for a last answer.
  const mayAnswer = policy.onLimit === 'answer' && hit.limit !== 'duration'
  if (mayAnswer && state.afterLimit === 'noted') return { type: 'call-model', turn: state.turn + 1, final: true }
  if (policy.onLimit !== 'fail') return end({ status: 'limit', hit })
  return end({ status: 'failed', error: { code: 'limit-reached', ...hit } })
}

function end(outcome: Outcome): Action {
  return { type: 'end', outcome }
}
