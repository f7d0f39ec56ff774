import type {
  ApprovalDecision,
  ApprovalRequest,
  ClientCall,
  AssistantMessage,
  Cost,
  ErrorInfo,
  FinishReason,
  Json,
  ToolMessage,
  Usage,
} from '@parley/core'

/** One action of a run that an encoder can report to a client. */
export type RunStep =
  | RunBegin
  /** A model call begins. */
  | { readonly type: 'turn'; readonly turn: number }
  /** The model writes a piece of text or of reasoning. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** The model begins to write a tool call. */
  | {
      readonly type: 'call-start'
      readonly callId: string
      readonly name: string
      /** Present if the client executes the call. */
      readonly execution?: 'client' | undefined
    }
  /** The model writes a piece of the arguments of a tool call. */
  | { readonly type: 'call-delta'; readonly callId: string; readonly delta: string }
  | RunAnswer
  /** The model call failed. */
  | { readonly type: 'answer-failed'; readonly error: ErrorInfo }
  /** The agent discarded the answer, for example to retry a truncated one. */
  | { readonly type: 'answer-discarded' }
  | { readonly type: 'tool-started'; readonly callId: string; readonly name: string; readonly input: Json }
  | { readonly type: 'progress'; readonly callId: string; readonly name: string; readonly update: Json }
  | {
      readonly type: 'tool-ended'
      readonly callId: string
      readonly name: string
      readonly message: ToolMessage
      /** Whether the call was not permitted to run. */
      readonly isDenied: boolean
    }
  /** The run accepted an output that a tool call delivered. Any other output was already sent as the model's text. */
  | { readonly type: 'output'; readonly value: Json; readonly seq: number }
  /** A tool call is suspended for approval. `agent` is the agent that the run started with; `''` if unknown. */
  | { readonly type: 'approval'; readonly request: ApprovalRequest; readonly agent: string }
  | { readonly type: 'decision'; readonly approvalId: string; readonly decision: ApprovalDecision }
  | RunEnd

/** The first step of every run. */
export interface RunBegin {
  readonly type: 'begin'
  readonly runId: string
  readonly sessionId: string
  /** Name of the agent. `''` if the first event is not `run.started`. */
  readonly agent: string
  /** Sequence number of the first event. */
  readonly seq: number
  /** Whether the first event is the start of the run. */
  readonly isStart: boolean
  readonly at: number
}

/** Usage and cost of one or more model calls. */
export interface RunSpend {
  readonly usage: Usage
  readonly cost?: Cost | undefined
}

/** A recorded answer of the model. */
export interface RunAnswer {
  readonly type: 'answer'
  readonly message: AssistantMessage
  readonly seq: number
  /** Usage and cost of the model call. Absent if its record was not among the events. */
  readonly spent?: RunSpend | undefined
}

/** The last step of every run. `usage` and `cost` are the sums over the model calls whose records were among the events. */
export interface RunEnd extends RunSpend {
  readonly type: 'end'
  readonly ending: RunEnding
  /** Milliseconds since the epoch: the time of the last event. */
  readonly at: number
}

/** How a run ended for the client that watches it. */
export type RunEnding =
  | { readonly status: 'completed'; readonly finish: FinishReason }
  /** Tool calls wait for approvals or for the client. */
  | {
      readonly status: 'suspended'
      readonly approvals: readonly ApprovalRequest[]
      readonly clientCalls: readonly ClientCall[]
    }
  /** The runtime closed and released the run. Another process resumes it. */
  | {
      readonly status: 'released'
      readonly approvals: readonly ApprovalRequest[]
      readonly clientCalls: readonly ClientCall[]
      readonly error: ErrorInfo
    }
  | { readonly status: 'cancelled' | 'failed' | 'limit' | 'rejected'; readonly error: ErrorInfo }
