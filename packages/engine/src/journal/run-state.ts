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

/** What a run's journal adds up to. */
export interface RunState {
  /** Number of the last entry; 0 before the first. */
  readonly seq: number
  /** When the last entry was written, ms since the epoch. */
  readonly at: number
  readonly startedAt: number
  /** Milliseconds nobody worked on it: it was suspended, or its process was gone. */
  readonly idleMs: number
  /** Who answers now. */
  readonly agent: string
  /** The agents the run was handed over to so far, in order. */
  readonly handoffs: readonly string[]
  /** What a call has asked for that is not done yet. */
  readonly handoff: PendingHandoff | undefined
  /** What calls want taken out of what is sent and is not yet, in their order. */
  readonly edits: readonly PendingEdit[]
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
  /** The directory its tools work in. */
  readonly workspace: string | undefined
  /** The run's own, after those of its agents. */
  readonly instructions: string | undefined
  /** The run's own, over those of its agents. */
  readonly settings: ModelSettings | undefined
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
  /** Whether a compaction that was asked for has been made. */
  readonly compacted: boolean
  readonly outcome: Outcome | undefined
}

/** What a model is sent of the transcript. A run that goes on from another takes it over. */
export interface ContextState {
  /** Undefined while everything is sent. */
  readonly overlay: Overlay | undefined
  /** Where in the transcript each run it consists of begins, oldest first. */
  readonly runStarts: readonly number[]
  /** Where the transcript begins for the agent that answers; above 0 once the run was handed over without its context. */
  readonly floor: number
  /** The turn whose call was refused as too long and compacted for. */
  readonly overflowTurn: number | undefined
}

/** What the model is sent in place of the log's beginning. */
export interface Overlay {
  readonly parts: readonly ViewPart[]
  /** The parts as messages. */
  readonly messages: readonly Message[]
  /** The log's position from which on everything is sent as it comes. */
  readonly end: number
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

export interface PendingEdit {
  readonly callId: string
  /** The tool's. */
  readonly name: string
  readonly edit: ContextEdit
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
const NO_CONTEXT: ContextState = { overlay: undefined, runStarts: [], floor: 0, overflowTurn: undefined }
const NOT_MEASURED = { tokens: 0, length: 0 }

/** The state before the first entry. `base` is the transcript the run goes on from, `context` what was sent of it. */
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
