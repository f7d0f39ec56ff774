import {
  messageText,
  type ApprovalRequest,
  type ErrorInfo,
  type LimitHit,
  type Limits,
  type Outcome,
} from '@parley/core'
import type { InputQueuePolicy } from '../agent/input-queue.ts'
import { limitHit } from './limits.ts'
import {
  isStopping,
  type CallState,
  type PendingEdit,
  type PendingHandoff,
  type QueuedInput,
  type RunState,
} from './run-state.ts'
import type { Truncation } from '../agent/truncation.ts'
import { isWaiting, openRequests } from './waiting.ts'

/** What an agent's definition says about deciding. */
export interface Policy {
  readonly limits: Limits
  /** What happens at a limit. */
  readonly onLimit: 'stop' | 'fail' | 'answer'
  /** @default an answer that was cut off is the answer */
  readonly truncation?: Truncation | undefined
  /** Set when the run must end with a value that fits a schema. @default text is enough */
  readonly output?: { readonly repairs: number } | undefined
  /** @default all steering at once, one follow-up */
  readonly queue?: Pick<InputQueuePolicy, 'steering' | 'followUps'> | undefined
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
  /** Ask the model to go on with the answer that was cut off. */
  | { readonly type: 'continue-answer' }
  /** See whether the answer fits the output schema. */
  | { readonly type: 'check-output' }
  /** Have less to send: the model has refused the call as too long. */
  | { readonly type: 'compact'; readonly turn: number; readonly error: ErrorInfo }
  /** Have less to send: somebody wants the session compacted. */
  | { readonly type: 'compact-session'; readonly turn: number }
  /** Take out of what is sent what a call has asked for. */
  | { readonly type: 'edit-context'; readonly edit: PendingEdit }
  /** Bring every open call to its result. */
  | { readonly type: 'run-tools'; readonly calls: readonly CallState[] }
  /** Let another agent go on. */
  | { readonly type: 'hand-over'; readonly handoff: PendingHandoff }
  /** Every open call waits for a person. */
  | { readonly type: 'await-decision'; readonly approvals: readonly ApprovalRequest[] }
  | { readonly type: 'end'; readonly outcome: Outcome }

/** What to do in this state. Pure, synchronous and total. */
export function decide(state: RunState, policy: Policy): Action {
  if (state.outcome !== undefined) return end(state.outcome)
  if (state.calls !== undefined) return withCalls(state, state.calls)
  const [edit] = state.edits
  // Also of a run that is about to end: its session goes on with what is left.
  if (edit !== undefined) return { type: 'edit-context', edit }
  if (state.cancel !== undefined) return end({ status: 'cancelled', reason: state.cancel })
  if (state.relation === 'compaction') return compaction(state)
  if (state.failure !== undefined) return afterFailure(state, state.failure, policy)
  if (state.rejection !== undefined) return end({ status: 'rejected', ...state.rejection })
  if (state.limit !== undefined) return atLimit(state, state.limit, policy)

  if (state.handoff !== undefined) return { type: 'hand-over', handoff: state.handoff }
  const steering = state.queue.filter(queued => queued.kind === 'steering')
  const mode = policy.queue?.steering ?? 'all'
  // One at a time means one for each model call.
  const mayTake = mode === 'all' || state.transcript.last?.role !== 'user'
  if (steering.length > 0 && mayTake) return takeQueued(steering, mode)

  const spoken = state.turn > 0 && state.transcript.last?.role === 'assistant' && state.finish !== 'pause'
  if (spoken || state.output !== undefined) {
    if (mayContinue(state, policy)) return { type: 'continue-answer' }
    if (state.queue.length > 0) return takeQueued(state.queue, policy.queue?.followUps ?? 'one')
    return answered(state, policy)
  }
  const hit = limitHit(state, policy.limits)
  if (hit !== undefined) return { type: 'reach-limit', hit }
  return { type: 'call-model', turn: state.turn + 1, final: false }
}

/** A run that says nothing: it ends with the compaction it is for. */
function compaction({ turn, failure, limit, compacted }: RunState): Action {
  if (failure !== undefined) return end({ status: 'failed', error: failure })
  if (limit !== undefined) return end({ status: 'limit', hit: limit })
  return compacted ? end({ status: 'completed', finish: 'stop' }) : { type: 'compact-session', turn: turn + 1 }
}

function answered(state: RunState, policy: Policy): Action {
  const { finish = 'stop', output, outputRejections: attempts, outputIssues } = state
  // A tool gave the output: what the model stopped for was the call.
  if (output !== undefined) return end({ status: 'completed', finish: finish === 'tool-calls' ? 'stop' : finish })
  if (policy.output === undefined) return end({ status: 'completed', finish })
  const refused = finish === 'refusal' || finish === 'content-filter'
  if (!refused && attempts <= policy.output.repairs) return { type: 'check-output' }
  const issues = refused ? [{ path: '', message: `is missing, the model ended with '${finish}'` }] : [...outputIssues]
  return end({ status: 'failed', error: { code: 'output-invalid', attempts, issues } })
}

function takeQueued(queue: readonly QueuedInput[], mode: 'all' | 'one'): Action {
  return { type: 'take-queued', inputs: mode === 'all' ? queue : queue.slice(0, 1) }
}

/** Whether the answer that was cut off is to be gone on with. One without any text has nothing to go on from. */
function mayContinue({ finish, continued, transcript }: RunState, { truncation }: Policy): boolean {
  if (finish !== 'length' || truncation?.policy !== 'continue' || continued >= truncation.attempts) return false
  return transcript.last !== undefined && messageText(transcript.last).trim() !== ''
}

function afterFailure({ turn, limit, context }: RunState, error: ErrorInfo, policy: Policy): Action {
  const mayCompact = policy.compacts === true && limit === undefined && context.overflowTurn !== turn
  if (mayCompact && error.code === 'model-context-length') return { type: 'compact', turn, error }
  return end({ status: 'failed', error })
}

function withCalls(state: RunState, calls: readonly CallState[]): Action {
  const open = calls.filter(call => call.result === undefined)
  // A run that is being stopped asks nobody any more: the calls get their results.
  if (!open.every(isWaiting) || isStopping(state)) return { type: 'run-tools', calls: open }
  return { type: 'await-decision', approvals: open.flatMap(openRequests) }
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
