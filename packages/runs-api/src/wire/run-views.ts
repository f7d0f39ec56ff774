import type {
  Cost,
  Entry,
  Json,
  Message,
  ModelRequest,
  ModelUsage,
  Outcome,
  Principal,
  RunRecord,
  Usage,
  ViewPart,
} from '@parley/core'
import type { WaitingApproval, WaitingClientCall } from './approvals.ts'

/** A page of runs, newest first: `GET /runs`. */
export interface RunPage {
  readonly runs: readonly RunRecord[]
  /** Value of `after` for the next page. Absent on the last page. */
  readonly next?: string | undefined
}

/** One run: `GET /runs/{id}`. */
export interface RunDetail extends RunRecord {
  /** The run at the top of the tree of child runs. Equal to `runId` for a run without parent run. */
  readonly rootRunId: string
  /** The run whose transcript this run continues, and the number of the last entry that belongs to that transcript. */
  readonly base?: { readonly runId: string; readonly seq: number } | undefined
  /** The run that this run repeats. */
  readonly origin?: string | undefined
  /** The tool call of the parent run that started this run. */
  readonly call?: { readonly runId: string; readonly callId: string } | undefined
  readonly principal?: Principal | undefined
  readonly context?: Json | undefined
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  readonly variables?: Readonly<Record<string, Json>> | undefined
  readonly instructions?: string | undefined
  readonly settings?: Readonly<Record<string, Json>> | undefined
  /** Number of model calls so far. */
  readonly turns: number
  /** What the run and its child runs have used so far. */
  readonly usage: Usage
  readonly cost?: Cost | undefined
  /** What the run itself has used, by model. */
  readonly models: readonly ModelUsage[]
  /** How the run ended. Absent for an unfinished run. */
  readonly outcome?: Outcome | undefined
  /** Structured output of the run. */
  readonly output?: Json | undefined
  /** Turns whose exact request the journal keeps: `GET /runs/{id}/requests/{turn}`. */
  readonly requests: readonly number[]
  /** Requests that the run and its child runs wait for. */
  readonly approvals: readonly WaitingApproval[]
  readonly clientCalls: readonly WaitingClientCall[]
}

/** A page of a journal, in order: `GET /runs/{id}/entries`. */
export interface EntryPage {
  readonly entries: readonly Entry[]
  /** Number of entries in the journal. */
  readonly seq: number
  /** Value of `after` for the next page. Absent on the last page. */
  readonly next?: number | undefined
}

/** The exact request of a model call: `GET /runs/{id}/requests/{turn}`. */
export interface RequestView {
  readonly turn: number
  readonly model: string
  readonly request: ModelRequest
  /** Origin of the request's messages: positions in the transcript, or messages that a policy or middleware wrote. */
  readonly view: readonly ViewPart[]
}

/** A run with the runs that its tool calls started: `GET /runs/{id}/tree`. */
export interface RunNode {
  readonly run: RunRecord
  /** The tool call of the parent run. Absent for the run that was asked for. */
  readonly callId?: string | undefined
  /** Usage of the run and its child runs. Known while the run is unfinished, too. */
  readonly usage: Usage
  readonly cost?: Cost | undefined
  readonly children: readonly RunNode[]
}

/** The conversation of a run: `GET /runs/{id}/transcript`. */
export interface TranscriptView {
  readonly messages: readonly TranscriptMessage[]
}

/** A message, and the entry that holds it. A fork at the entry before replaces the message. */
export interface TranscriptMessage {
  readonly message: Message
  /** The run whose journal holds the message. Absent, as `seq` and `at`, for a message of a supplied history. */
  readonly runId?: string | undefined
  readonly seq?: number | undefined
  readonly at?: number | undefined
}
