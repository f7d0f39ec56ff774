import {
  ZERO_USAGE,
  type ApprovalDecision,
  type ApprovalRequest,
  type CancelReason,
  type Cost,
  type ErrorInfo,
  type FinishReason,
  type Json,
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
  type ValidationIssue,
} from '@parley/core'
import type { DecidedApproval } from '../approval/decided-approval.ts'
import { Transcript } from './transcript.ts'

/** What a run's journal adds up to. */
export interface RunState {
  /** Number of the last entry; 0 before the first. */
  readonly seq: number
  /** When the last entry was written, ms since the epoch. */
  readonly at: number
  readonly startedAt: number
  /** Who answers now. */
  readonly agent: string
  /** The agents the run was handed over to so far, in order. */
  readonly handoffs: readonly string[]
  /** What a call has asked for that is not done yet. */
  readonly handoff: PendingHandoff | undefined
  /** The message from which on the agent sees the transcript; above 0 once it was handed over without its context. */
  readonly contextFrom: number
  readonly sessionId: string
  readonly scope: string
  readonly relation: Relation
  readonly transcript: Transcript
  /** Model calls so far. */
  readonly turn: number
  /** How often the answer under way was thrown away because it was cut off. */
  readonly discarded: number
  /** How often the last answer was gone on with: it is that many messages more. */
  readonly continued: number
  /** Why the last model call stopped. */
  readonly finish: FinishReason | undefined
  /** Tool calls of the last assistant message that do not all have a result yet, in the model's order. */
  readonly calls: readonly CallState[] | undefined
  /** Ids of all approvals that were ever asked for. */
  readonly approvals: ReadonlySet<string>
  readonly principal: Principal | undefined
  /** Values for the templates among the agent's instructions. */
  readonly variables: Readonly<Record<string, Json>> | undefined
  /** Messages that wait for their boundary, oldest first. */
  readonly queue: readonly QueuedInput[]
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** What the run was for, once there is a value that fits. */
  readonly output: { readonly value: Json } | undefined
  /** Answers in a row that did not fit the output schema. */
  readonly outputRejections: number
  /** What was wrong with the last one. */
  readonly outputIssues: readonly ValidationIssue[]
  /** Which input filter refused the run's input, and why. */
  readonly rejection: { readonly filter: string; readonly reason: string } | undefined
  readonly failure: ErrorInfo | undefined
  readonly cancel: CancelReason | undefined
  readonly limit: LimitHit | undefined
  /** What has happened since the limit was reached: the note was left, then the model had its say. */
  readonly afterLimit: 'nothing' | 'noted' | 'answered'
  readonly outcome: Outcome | undefined
}

export interface CallState {
  readonly call: ToolCallPart
  /** How often its handler was started. */
  readonly attempts: number
  /** Of the tool that was started. */
  readonly effect: ToolEffect | undefined
  /** Set once the call has asked for a person's approval. */
  readonly approval: CallApproval | undefined
  /** Sub-agents that work for the call, in the order they were started. */
  readonly children?: readonly ChildState[] | undefined
  readonly result: ToolMessage | undefined
}

export interface ChildState {
  readonly key: string
  readonly runId: string
  readonly agent: string
  /** Whether it waits for a person. */
  readonly suspended: boolean
  /** What it asks and nobody has decided yet. */
  readonly approvals: readonly ApprovalRequest[]
  /** What was decided and its run was not told yet. */
  readonly decisions: readonly DecidedApproval[]
  /** Undefined while its run goes on. */
  readonly result: ChildResult | undefined
}

export interface ChildResult {
  readonly outcome: Outcome
  readonly text: string
  readonly output: Json | undefined
  readonly usage: Usage
  readonly cost: Cost | undefined
  readonly turns: number
}

export interface PendingHandoff {
  readonly to: string
  readonly callId: string
  readonly carryContext: boolean
  readonly task?: string | undefined
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

/** The state before the first entry. `base` is the transcript the run goes on from. */
export function initialState(base: readonly Message[] = []): RunState {
  return {
    seq: 0,
    at: 0,
    startedAt: 0,
    agent: '',
    handoffs: [],
    handoff: undefined,
    contextFrom: 0,
    sessionId: '',
    scope: '',
    relation: 'initial',
    transcript: Transcript.from(base),
    turn: 0,
    discarded: 0,
    continued: 0,
    finish: undefined,
    calls: undefined,
    approvals: NO_APPROVALS,
    principal: undefined,
    variables: undefined,
    queue: [],
    usage: ZERO_USAGE,
    cost: undefined,
    output: undefined,
    outputRejections: 0,
    outputIssues: [],
    rejection: undefined,
    failure: undefined,
    cancel: undefined,
    limit: undefined,
    afterLimit: 'nothing',
    outcome: undefined,
  }
}
