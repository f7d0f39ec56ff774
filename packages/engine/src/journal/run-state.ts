import {
  ZERO_USAGE,
  type AgentSnapshot,
  type ApprovalDecision,
  type CancelReason,
  type ClientTool,
  type ContextEdit,
  type Cost,
  type ErrorInfo,
  type FinishReason,
  type Json,
  type LimitHit,
  type Message,
  type ModelUsage,
  type ModelSettings,
  type Outcome,
  type Principal,
  type Relation,
  type Submission,
  type ToolCallPart,
  type ToolEffect,
  type ToolMessage,
  type Usage,
  type UserMessage,
  type ValidationIssue,
  type ViewPart,
} from '@parley/core'
import type { DecidedRequest } from './decided-request.ts'
import type { PendingRequest } from './pending-request.ts'
import { Transcript } from './transcript.ts'

/** One resumption of a run. */
export interface Resumption {
  /** Time in milliseconds since the epoch. */
  readonly at: number
  /** The worker that resumed the run. */
  readonly worker: string
}

/** The state of a run, computed from the entries of its journal. */
export interface RunState {
  /** Number of the last entry; 0 before the first. */
  readonly seq: number
  /** When the last entry was written, milliseconds since the epoch. */
  readonly at: number
  readonly startedAt: number
  /** Milliseconds in which no process drove the run: it was suspended, or its process was gone. */
  readonly idleMs: number
  /** How the run was resumed since it last made progress. */
  readonly resumes: readonly Resumption[]
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
  /** All messages. `context` describes which of them are sent to the model. */
  readonly transcript: Transcript
  readonly context: ContextState
  /** Input tokens of the last model call, and length and size of the transcript at that time. 0 tokens means unknown. */
  readonly lastInput: { readonly tokens: number; readonly length: number; readonly size: number }
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
  /** Ids of all requests to approvers and to the client so far, answered or not. */
  readonly approvals: ReadonlySet<string>
  readonly principal: Principal | undefined
  /** Values for the templates among the agent's instructions. */
  readonly variables: Readonly<Record<string, Json>> | undefined
  /** The directory that the run's tools work in. */
  readonly workspace: string | undefined
  /** The run's context: `RunOptions.context`. */
  readonly given: Json | undefined
  /** The text of the answering agent's instructions, if they are a function. */
  readonly evaluated: string | undefined
  /** Instructions of the run, after those of its agents. */
  readonly instructions: string | undefined
  /** Settings of the run, over those of its agents. */
  readonly settings: ModelSettings | undefined
  /** Limits of the run, over those of its first agent, as the journal keeps them. */
  readonly limits: AgentSnapshot['limits'] | undefined
  /** Tools that the client executes, in addition to those of the run's agents. */
  readonly clientTools: { readonly tools: readonly ClientTool[]; readonly accepted: boolean } | undefined
  /** Queued steering messages and follow-ups, oldest first. */
  readonly queue: readonly QueuedInput[]
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** What the run itself used, by model. `usage` and `cost` also count child runs. */
  readonly models: readonly ModelUsage[]
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

/** A copy of a state, into which the changes of one entry are written. */
export type NextState = { -readonly [Field in keyof RunState]: RunState[Field] }

/** Which part of the transcript is sent to the model. A run that continues another run starts with its context. */
export interface ContextState {
  /** The parts that are sent instead of older messages. `undefined` if the whole transcript is sent. */
  readonly overlay: Overlay | undefined
  /** Positions in the transcript at which the runs of the session begin, oldest first. */
  readonly runStarts: readonly number[]
  /** Where the transcript begins for the agent that answers. Above 0 after a handoff without context. */
  readonly floor: number
  /** The turn whose request was compacted because the provider refused it as too long. */
  readonly overflowTurn: number | undefined
}

/** What is sent to the model instead of the beginning of the transcript. */
export interface Overlay {
  readonly parts: readonly ViewPart[]
  /** The parts as messages. */
  readonly messages: readonly Message[]
  /** Position in the transcript from which all messages are sent unchanged. */
  readonly end: number
}

/** A tool call of the current answer, as far as the journal tells. */
export interface CallState {
  readonly call: ToolCallPart
  /** How often the handler was started. */
  readonly attempts: number
  /** Effect of the tool that was started. */
  readonly effect: ToolEffect | undefined
  /** The approval that the call asked for last. */
  readonly approval: CallApproval | undefined
  /** Set once the call waits for the client that executes it. */
  readonly client?: ClientWait | undefined
  /** Child runs of the call, in the order they were started. */
  readonly children?: readonly ChildState[] | undefined
  readonly result: ToolMessage | undefined
}

/** A child run of a tool call, as far as the journal tells. */
export interface ChildState {
  readonly key: string
  readonly runId: string
  readonly agent: string
  /** Whether the child run is suspended and waits for an answer from outside. */
  readonly suspended: boolean
  /** Unanswered requests of the child run. */
  readonly approvals: readonly PendingRequest[]
  /** Answers that the child run has not received yet. */
  readonly decisions: readonly DecidedRequest[]
  /** Result of the child run. `undefined` while the child run is unfinished. */
  readonly result: ChildResult | undefined
}

/** How a child run ended, and what it used. */
export interface ChildResult {
  readonly outcome: Outcome
  readonly text: string
  readonly output: Json | undefined
  readonly usage: Usage
  readonly cost: Cost | undefined
  readonly turns: number
}

/** A handoff that a tool asked for. It takes effect after the tool calls of the answer. */
export interface PendingHandoff {
  readonly to: string
  readonly callId: string
  readonly carryContext: boolean
  readonly task?: string | undefined
}

/** An edit of the context that a tool asked for. It is applied before the next model call. */
export interface PendingEdit {
  readonly callId: string
  /** Name of the tool. */
  readonly name: string
  readonly edit: ContextEdit
}

export interface CallApproval {
  readonly request: PendingRequest
  /** The approver's decision. `undefined` while the call is suspended. */
  readonly decision: ApprovalDecision | undefined
}

export interface ClientWait {
  readonly request: PendingRequest
  /** The result that the client submitted, or that none came in time. `undefined` while the call is suspended. */
  readonly submission: Submission | undefined
}

/** A message that waits in the queue of a run. */
export interface QueuedInput {
  readonly queueId: string
  readonly kind: 'steering' | 'follow-up'
  readonly message: UserMessage
}

/** Whether the run is being stopped: open calls end as cancelled, and no approver is asked. */
export function isStopping({ cancel, limit, failure }: RunState): boolean {
  return cancel !== undefined || limit !== undefined || failure !== undefined
}

const NO_APPROVALS: ReadonlySet<string> = new Set()
const NO_CONTEXT: ContextState = { overlay: undefined, runStarts: [], floor: 0, overflowTurn: undefined }
const NO_MODELS: readonly ModelUsage[] = []
const NONE: readonly never[] = []
export const NO_RESUMES: readonly Resumption[] = []
/** `lastInput` before the first model call of an agent. */
export const NOT_MEASURED = { tokens: 0, length: 0, size: 0 }

/** The state before the first entry. `base` is the transcript that the run continues, `context` the part of it that was sent. */
export function initialState(base: readonly Message[] = [], context = NO_CONTEXT): RunState {
  return {
    seq: 0,
    at: 0,
    startedAt: 0,
    idleMs: 0,
    resumes: NO_RESUMES,
    agent: '',
    handoffs: NONE,
    handoff: undefined,
    edits: NONE,
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
    given: undefined,
    evaluated: undefined,
    instructions: undefined,
    settings: undefined,
    limits: undefined,
    clientTools: undefined,
    queue: NONE,
    usage: ZERO_USAGE,
    cost: undefined,
    models: NO_MODELS,
    output: undefined,
    outputRejections: 0,
    outputIssues: NONE,
    rejection: undefined,
    failure: undefined,
    cancel: undefined,
    limit: undefined,
    afterLimit: 'nothing',
    compacted: false,
    outcome: undefined,
  }
}
