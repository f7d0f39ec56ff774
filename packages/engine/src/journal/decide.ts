import { messageText, type ErrorInfo, type LimitHit, type Limits, type Outcome } from '@parley/core'
import { limitHit } from './limit-hit.ts'
import {
  isStopping,
  type CallState,
  type PendingEdit,
  type PendingHandoff,
  type QueuedInput,
  type RunState,
} from './run-state.ts'
import type { PendingRequest } from './pending-request.ts'
import { isWaiting, openRequests } from './waiting.ts'

/** The part of an agent's definition that decides what a run does next. */
export interface Policy {
  readonly limits: Limits
  /** What happens at a limit. */
  readonly onLimit: 'stop' | 'fail' | 'answer'
  /** What happens to an answer that the provider truncated. @default the truncated answer is returned */
  readonly truncation?: { readonly policy: 'return' | 'continue' | 'retry'; readonly attempts: number } | undefined
  /** Set if the run must end with a value that matches a schema. @default none: the run ends with a text */
  readonly output?: { readonly repairs: number } | undefined
  /** How many queued messages are appended together. @default all steering messages, one follow-up */
  readonly queue?: { readonly steering: 'all' | 'one'; readonly followUps: 'all' | 'one' } | undefined
  /** Whether a request that the provider refused as too long is compacted and sent again, once. @default false */
  readonly compacts?: boolean | undefined
}

/** What `decide` must know besides the journal: conditions of the process that drives the run. */
export interface Due {
  /** The process stops driving the run and leaves it to be resumed. */
  readonly released: boolean
  /** Whether a middleware of the agent has hooks around turns. */
  readonly hooksTurns: boolean
  /** The turn whose `beforeTurn` hooks ran and whose `afterTurn` hooks have not run yet. */
  readonly openTurn: number | undefined
  /**
   * Whether to compact before the model call of this turn. `due`: the context policy asks for it. `overflow`: the
   * provider refused the request as too long. False once this process has tried this compaction for the turn.
   */
  compaction(turn: number, trigger: 'due' | 'overflow'): boolean
}

/** For callers that decide from the journal alone, outside a driver. */
const NOTHING_DUE: Due = {
  released: false,
  hooksTurns: false,
  openTurn: undefined,
  compaction: (_turn, trigger) => trigger === 'overflow',
}

/** The next thing to do. */
export type Action =
  /** Run the `beforeTurn` hooks of the middleware. */
  | { readonly type: 'begin-turn'; readonly turn: number }
  /** Run the `afterTurn` hooks of the middleware. */
  | { readonly type: 'end-turn'; readonly turn: number }
  /** Append these queued messages to the transcript. */
  | { readonly type: 'take-queued'; readonly inputs: readonly QueuedInput[] }
  /** Record that the run has reached a limit. */
  | { readonly type: 'reach-limit'; readonly hit: LimitHit }
  /** Tell the model about the limit. */
  | { readonly type: 'note-limit'; readonly hit: LimitHit }
  /** Call the model. A `final` call offers no tools. */
  | { readonly type: 'call-model'; readonly turn: number; readonly final: boolean }
  /** Ask the model to continue the answer that the provider truncated. */
  | { readonly type: 'continue-answer' }
  /** Check the answer against the output schema. */
  | { readonly type: 'check-output' }
  /** Compact what the model call of this turn sends. */
  | { readonly type: 'compact'; readonly turn: number; readonly trigger: 'due' | 'overflow' | 'manual' }
  /** Remove from the context what a tool call asked to remove. */
  | { readonly type: 'edit-context'; readonly edit: PendingEdit }
  /** Run every open call until it has a result. */
  | { readonly type: 'run-tools'; readonly calls: readonly CallState[] }
  /** Let another agent continue the run. */
  | { readonly type: 'hand-over'; readonly handoff: PendingHandoff }
  /** Every open call waits for an answer from outside: ask the approval handler, or suspend the run. */
  | { readonly type: 'await-answers'; readonly requests: readonly PendingRequest[] }
  /** Stop driving the run and leave it to be resumed. */
  | { readonly type: 'release'; readonly requests: readonly PendingRequest[] }
  | { readonly type: 'end'; readonly outcome: Outcome }

export type ActionOf<TType extends Action['type']> = Extract<Action, { type: TType }>

/** Decides what to do next. Pure: reads no clock and does no I/O. */
export function decide(state: RunState, policy: Policy, due: Due = NOTHING_DUE): Action {
  const action = nextAction(state, policy, due)
  const { openTurn, released } = due
  if (openTurn !== undefined && isTurnOver(action, state.turn >= openTurn || released))
    return { type: 'end-turn', turn: openTurn }
  if (released && action.type !== 'end')
    return { type: 'release', requests: action.type === 'await-answers' ? action.requests : [] }
  if (action.type !== 'call-model') return action
  const { turn } = action
  if (due.compaction(turn, 'due')) return { type: 'compact', turn, trigger: 'due' }
  return due.hooksTurns && openTurn === undefined ? { type: 'begin-turn', turn } : action
}

/** Whether the turn has ended: its model was called, and the next action does not run its tool calls. */
function isTurnOver(action: Action, called: boolean): boolean {
  return action.type === 'end' || (called && action.type !== 'run-tools')
}

function nextAction(state: RunState, policy: Policy, due: Due): Action {
  if (state.outcome !== undefined) return end(state.outcome)
  if (state.calls !== undefined) return withCalls(state, state.calls)
  const [edit] = state.edits
  // Also in a run that is about to end: its session continues with the edited context.
  if (edit !== undefined) return { type: 'edit-context', edit }
  if (state.cancel !== undefined) return end({ status: 'cancelled', reason: state.cancel })
  if (state.relation === 'compaction') return compaction(state)
  if (state.failure !== undefined) return afterFailure(state, { error: state.failure, policy, due })
  if (state.rejection !== undefined) return end({ status: 'rejected', ...state.rejection })
  if (state.limit !== undefined) return atLimit(state, state.limit, policy)

  if (state.handoff !== undefined) return { type: 'hand-over', handoff: state.handoff }
  const steered = state.queue.length === 0 ? undefined : takeSteering(state, policy)
  if (steered !== undefined) return steered

  if (!hasQuestion(state)) {
    if (state.queue.length > 0) return takeQueued(state.queue, policy.queue?.followUps ?? 'one')
    return end({ status: 'completed', finish: 'stop' })
  }
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

/** Takes the steering messages that are queued. */
function takeSteering({ queue, transcript }: RunState, policy: Policy): Action | undefined {
  const steering = queue.filter(queued => queued.kind === 'steering')
  const mode = policy.queue?.steering ?? 'all'
  // One at a time means one message for each model call.
  const mayTake = mode === 'all' || transcript.last?.role !== 'user'
  return steering.length > 0 && mayTake ? takeQueued(steering, mode) : undefined
}

/** Whether a new run has something to answer: an input, or a history that ends in a question or in a tool result. */
function hasQuestion({ turn, transcript: { last } }: RunState): boolean {
  return turn > 0 || (last !== undefined && last.role !== 'assistant')
}

/** Decides for a compaction run. It sends no message to the model and ends after its compaction. */
function compaction({ turn, failure, limit, compacted }: RunState): Action {
  if (failure !== undefined) return end({ status: 'failed', error: failure })
  if (limit !== undefined) return end({ status: 'limit', hit: limit })
  return compacted
    ? end({ status: 'completed', finish: 'stop' })
    : { type: 'compact', turn: turn + 1, trigger: 'manual' }
}

function answered(state: RunState, policy: Policy): Action {
  const { finish = 'stop', output, outputRejections: attempts, outputIssues } = state
  // A tool call gave the output, and the model stopped in order to make that call.
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

/** Whether to ask the model to continue a truncated answer. An answer without text has nothing to continue. */
function mayContinue({ finish, continued, transcript }: RunState, { truncation }: Policy): boolean {
  if (finish !== 'length' || truncation?.policy !== 'continue' || continued >= truncation.attempts) return false
  return transcript.last !== undefined && messageText(transcript.last).trim() !== ''
}

interface Failed {
  readonly error: ErrorInfo
  readonly policy: Policy
  readonly due: Due
}

function afterFailure({ turn, limit, context }: RunState, { error, policy, due }: Failed): Action {
  const mayCompact = policy.compacts === true && limit === undefined && context.overflowTurn !== turn
  if (mayCompact && error.code === 'model-context-length' && due.compaction(turn, 'overflow'))
    return { type: 'compact', turn, trigger: 'overflow' }
  return end({ status: 'failed', error })
}

function withCalls(state: RunState, calls: readonly CallState[]): Action {
  const open = calls.filter(call => call.result === undefined)
  // A run that is being stopped waits for no answer: its calls end as cancelled.
  if (!open.every(isWaiting) || isStopping(state)) return { type: 'run-tools', calls: open }
  return { type: 'await-answers', requests: open.flatMap(openRequests) }
}

function atLimit(state: RunState, hit: LimitHit, policy: Policy): Action {
  if (state.afterLimit === 'nothing') return { type: 'note-limit', hit }
  // After the duration limit there is no time for a last answer.
  const mayAnswer = policy.onLimit === 'answer' && hit.limit !== 'duration'
  if (mayAnswer && state.afterLimit === 'noted') return { type: 'call-model', turn: state.turn + 1, final: true }
  if (policy.onLimit !== 'fail') return end({ status: 'limit', hit })
  return end({ status: 'failed', error: { code: 'limit-reached', ...hit } })
}

function end(outcome: Outcome): Action {
  return { type: 'end', outcome }
}
