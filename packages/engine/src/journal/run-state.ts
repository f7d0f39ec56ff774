import {
  ZERO_USAGE,
  type ApprovalDecision,
  type ApprovalRequest,
  type CancelReason,
  type ContextEdit,
  type Cost,
  type ErrorInfo,
  type FinishReason,
  type Json,
  type LimitHit,
  type Message,
  type ModelSettings,
  type Outcome,
  type Principal,
  type Relation,
  type ToolCallPart,
  type ToolEffect,
  type ToolMessage,
  type Usage,
  type UserMessage,
  type ValidationIssue,
  type ViewPart,
} from '@parley/core'
import type { DecidedApproval } from './decided-approval.ts'
import { Transcript } from './transcript.ts'

/** The fold of a run's journal. */
export interface RunState {
  /** Number of the last entry; 0 before the first. */
  readonly seq: number
  /** When the last entry was written, milliseconds since the epoch. */
  readonly at: number
  readonly startedAt: number
  /** Milliseconds in which no process drove the run: it was suspended, or its process was gone. */
  readonly idleMs: number
  /** Name of the agent that answers now. */
  readonly agent: string
  /** The agents that the run was handed over to, in order. */
  readonly handoffs: readonly string[]
  /** The handoff that a tool call asked for, until it is done. */
  readonly handoff: PendingHandoff | undefined
  /** Context edits that tool calls asked for, until they are done, in their order. */
  readonly edits: readonly PendingEdit[]
  readonly sessionId: string
  readonly scope: string
  readonly relation: Relation
  /** All messages: the log. `context` says which part of it the model is sent. */
  readonly transcript: Transcript
  readonly context: ContextState
  /** Input tokens of the last model call and the length of the transcript at that time. 0 tokens means unknown. */
  readonly lastInput: { readonly tokens: number; readonly length: number }
  /** Model calls so far. */
  readonly turn: number
  /** How often the current answer was discarded because it was truncated. */
  readonly discarded: number
  /** How often the model was asked to continue the last answer. Each time adds a message to the answer. */
  readonly continued: number
  /** Why the last model call stopped. */
  readonly finish: FinishReason | undefined
  /** Tool calls of the last assistant message that do not all have a result yet, in the model's order. */
  readonly calls: readonly CallState[] | undefined
  /** Ids of all requests for approval so far, decided or not. */
  readonly approvals: ReadonlySet<string>
  readonly principal: Principal | undefined
  /** Values for the templates among the agent's instructions. */
  readonly variables: Readonly<Record<string, Json>> | undefined
  /** The directory that the run's tools work in. */
  readonly workspace: string | undefined
  /** Instructions of the run, after those of its agents. */
  readonly instructions: string | undefined
  /** Settings of the run, over those of its agents. */
  readonly settings: ModelSettings | undefined
  /** Queued steering messages and follow-ups, oldest first. */
  readonly queue: readonly QueuedInput[]
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** The accepted output, once a value matches the output schema. */
  readonly output: { readonly value: Json } | undefined
  /** Consecutive answers that did not match the output schema. */
  readonly outputRejections: number
  /** The issues of the last such answer. */
  readonly outputIssues: readonly ValidationIssue[]
  /** The input filter that rejected the run's input, and its reason. */
  readonly rejection: { readonly filter: string; readonly reason: string } | undefined
  readonly failure: ErrorInfo | undefined
  readonly cancel: CancelReason | undefined
  readonly limit: LimitHit | undefined
  /** What happened after the limit was reached: the model was told about it, then it answered. */
  readonly afterLimit: 'nothing' | 'noted' | 'answered'
  /** Whether the compaction of a compaction run is done. */
  readonly compacted: boolean
  readonly outcome: Outcome | undefined
}

/** Which part of the transcript the model is sent. A run that continues another one takes it over. */
export interface ContextState {
  /** `undefined` while everything is sent. */
  readonly overlay: Overlay | undefined
  /** Positions in the transcript at which the runs of the session begin, oldest first. */
  readonly runStarts: readonly number[]
  /** Where the transcript begins for the agent that answers. Above 0 after a handoff without context. */
  readonly floor: number
  /** The turn whose call the provider refused as too long, once it was compacted. */
  readonly overflowTurn: number | undefined
}

/** What the model is sent instead of the beginning of the log. */
export interface Overlay {
  readonly parts: readonly ViewPart[]
  /** The parts as messages. */
  readonly messages: readonly Message[]
  /** Position in the log from which all messages are sent unchanged. */
  readonly end: number
}

export interface CallState {
  readonly call: ToolCallPart
  /** How often the handler was started. */
  readonly attempts: number
  /** Effect of the tool that was started. */
  readonly effect: ToolEffect | undefined
  /** Set once the call has asked for approval. */
  readonly approval: CallApproval | undefined
  /** Child runs of the call, in the order they were started. */
  readonly children?: readonly ChildState[] | undefined
  readonly result: ToolMessage | undefined
}

export interface ChildState {
  readonly key: string
  readonly runId: string
  readonly agent: string
  /** Whether the child run is suspended for approval. */
  readonly suspended: boolean
  /** Undecided requests of the child run. */
  readonly approvals: readonly ApprovalRequest[]
  /** Decisions that the child run has not received yet. */
  readonly decisions: readonly DecidedApproval[]
  /** `undefined` while the child run is unfinished. */
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

export interface PendingEdit {
  readonly callId: string
  /** Name of the tool. */
  readonly name: string
  readonly edit: ContextEdit
}

export interface CallApproval {
  readonly request: ApprovalRequest
  /** `undefined` while the call is suspended. */
  readonly decision: ApprovalDecision | undefined
}

export interface QueuedInput {
  readonly queueId: string
  readonly kind: 'steering' | 'follow-up'
  readonly message: UserMessage
}

/** Whether the run is being stopped: open calls end as cancelled, and no approver is asked. */
export function isStopping({ cancel, limit }: RunState): boolean {
  return cancel !== undefined || limit !== undefined
}

const NO_APPROVALS: ReadonlySet<string> = new Set()
const NO_CONTEXT: ContextState = { overlay: undefined, runStarts: [], floor: 0, overflowTurn: undefined }
const NOT_MEASURED = { tokens: 0, length: 0 }

/** The state before the first entry. `base` is the transcript that the run continues, `context` the part of it that was sent. */
export function initialState(base: readonly Message[] = [], context = NO_CONTEXT): RunState {
  return {
    seq: 0,
    at: 0,
    startedAt: 0,
    idleMs: 0,
    agent: '',
    handoffs: [],
    handoff: undefined,
    edits: [],
    sessionId: '',
    scope: '',
    relation: 'initial',
    transcript: Transcript.from(base),
    context: context.overflowTurn === undefined ? context : { ...context, overflowTurn: undefined },
    lastInput: NOT_MEASURED,
    turn: 0,
    discarded: 0,
    continued: 0,
    finish: undefined,
    calls: undefined,
    approvals: NO_APPROVALS,
    principal: undefined,
    variables: undefined,
    workspace: undefined,
    instructions: undefined,
    settings: undefined,
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
    compacted: false,
    outcome: undefined,
  }
}
