import {
  ZERO_USAGE,
  type ApprovalDecision,
  type ApprovalRequest,
  type CancelReason,
  type Cost,
  type ErrorInfo,
  type FinishReason,
  type LimitHit,
  type Message,
  type Outcome,
  type Principal,
  type Relation,
  type ToolCallPart,
  type ToolEffect,
  type ToolMessage,
  type Usage,
  type UserMessage,
} from '@parley/core'
import type { Overlay } from '../context/overlay.ts'
import { Transcript } from './transcript.ts'

/** What a run's journal adds up to. */
export interface RunState {
  /** Number of the last entry; 0 before the first. */
  readonly seq: number
  /** When the last entry was written, ms since the epoch. */
  readonly at: number
  readonly startedAt: number
  readonly agent: string
  readonly sessionId: string
  readonly scope: string
  readonly relation: Relation
  /** Everything that was said: the log. What of it a model is still sent, `context` says. */
  readonly transcript: Transcript
  readonly context: ContextState
  /** Tokens of the last model call's input, and how long the transcript was then. 0 tokens: not known. */
  readonly lastInput: { readonly tokens: number; readonly length: number }
  /** Model calls so far. */
  readonly turn: number
  /** Why the last model call stopped. */
  readonly finish: FinishReason | undefined
  /** Tool calls of the last assistant message that do not all have a result yet, in the model's order. */
  readonly calls: readonly CallState[] | undefined
  /** Ids of all approvals that were ever asked for. */
  readonly approvals: ReadonlySet<string>
  readonly principal: Principal | undefined
  /** Messages that wait for their boundary, oldest first. */
  readonly queue: readonly QueuedInput[]
  readonly usage: Usage
  readonly cost: Cost | undefined
  readonly failure: ErrorInfo | undefined
  readonly cancel: CancelReason | undefined
  readonly limit: LimitHit | undefined
  /** What has happened since the limit was reached: the note was left, then the model had its say. */
  readonly afterLimit: 'nothing' | 'noted' | 'answered'
  readonly outcome: Outcome | undefined
}

/** What a model is sent of the transcript. A run that goes on from another takes it over. */
export interface ContextState {
  /** Undefined while everything is sent. */
  readonly overlay: Overlay | undefined
  /** Where in the transcript each run it consists of begins, oldest first. */
  readonly runStarts: readonly number[]
  /** The turn whose call was refused as too long and compacted for. */
  readonly overflowTurn: number | undefined
}

export interface CallState {
  readonly call: ToolCallPart
  /** How often its handler was started. */
  readonly attempts: number
  /** Of the tool that was started. */
  readonly effect: ToolEffect | undefined
  /** Set once the call has asked for a person's approval. */
  readonly approval: CallApproval | undefined
  readonly result: ToolMessage | undefined
}

export interface CallApproval {
  readonly request: ApprovalRequest
  /** Undefined while the call waits. */
  readonly decision: ApprovalDecision | undefined
}

export interface QueuedInput {
  readonly queueId: string
  readonly kind: 'steering' | 'follow-up'
  readonly message: UserMessage
}

/** Whether the run is on its way to its end: open calls are not run any more, and nobody is asked. */
export function isStopping({ cancel, limit }: RunState): boolean {
  return cancel !== undefined || limit !== undefined
}

const NO_APPROVALS: ReadonlySet<string> = new Set()
const NO_CONTEXT: ContextState = { overlay: undefined, runStarts: [], overflowTurn: undefined }
const NOT_MEASURED = { tokens: 0, length: 0 }

/** The state before the first entry. `base` is the transcript the run goes on from, `context` what was sent of it. */
export function initialState(base: readonly Message[] = [], context = NO_CONTEXT): RunState {
  return {
    seq: 0,
    at: 0,
    startedAt: 0,
    agent: '',
    sessionId: '',
    scope: '',
    relation: 'initial',
    transcript: Transcript.from(base),
    context: context.overflowTurn === undefined ? context : { ...context, overflowTurn: undefined },
    lastInput: NOT_MEASURED,
    turn: 0,
    finish: undefined,
    calls: undefined,
    approvals: NO_APPROVALS,
    principal: undefined,
    queue: [],
    usage: ZERO_USAGE,
    cost: undefined,
    failure: undefined,
    cancel: undefined,
    limit: undefined,
    afterLimit: 'nothing',
    outcome: undefined,
  }
}
