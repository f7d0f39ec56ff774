import type { ApprovalDecision, ApprovalRequest, ErrorInfo, FilePart, FinishReason, Json, Usage } from '@parley/core'

/** What a run does next, as every chat protocol tells it. */
export type Step =
  | {
      readonly type: 'begin'
      readonly runId: string
      readonly sessionId: string
      readonly agent: string
      readonly at: number
    }
  | { readonly type: 'turn'; readonly turn: number }
  /** A piece of text or reasoning; neighbours of one kind belong together. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'file'; readonly file: FilePart }
  /** What was written of text or reasoning is all of it. */
  | { readonly type: 'prose-end' }
  | { readonly type: 'call-start'; readonly callId: string; readonly name: string }
  | { readonly type: 'call-delta'; readonly callId: string; readonly delta: string }
  /** The call is whole; `delta` is what no `call-delta` has told. */
  | {
      readonly type: 'call'
      readonly callId: string
      readonly name: string
      readonly arguments: string
      readonly delta: string
    }
  /** A call the model began and never finished. */
  | { readonly type: 'call-broken'; readonly callId: string }
  | { readonly type: 'progress'; readonly callId: string; readonly name: string; readonly update: Json }
  | {
      readonly type: 'result'
      readonly callId: string
      readonly name: string
      readonly text: string
      readonly isError: boolean
    }
  | { readonly type: 'approval'; readonly request: ApprovalRequest }
  | { readonly type: 'decision'; readonly approvalId: string; readonly decision: ApprovalDecision }
  | { readonly type: 'turn-end'; readonly turn: number }
  | { readonly type: 'end'; readonly ending: Ending; readonly usage: Usage; readonly at: number }

/** How a run ended, for its watcher. */
export type Ending =
  | { readonly status: 'completed'; readonly finish: FinishReason }
  /** Waits for people. */
  | { readonly status: 'suspended'; readonly approvals: readonly ApprovalRequest[] }
  | { readonly status: 'cancelled' | 'failed' | 'limit' | 'rejected'; readonly error: ErrorInfo }
