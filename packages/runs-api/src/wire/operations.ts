import type { DeadLetter, ErrorInfo, Json, UsageTotal, WorkerRecord } from '@parley/core'

/** Tokens and cost of ended runs: `GET /usage`. */
export interface UsageReport {
  readonly scope: string
  readonly totals: readonly UsageTotal[]
}

/** Processes that hold unfinished runs: `GET /workers`. */
export interface WorkerList {
  /** Time of the server, to compare with `aliveUntil`. */
  readonly now: number
  readonly workers: readonly WorkerRecord[]
}

/** Events that a subscriber did not accept, and runs that failed each attempt: `GET /dead-letters`. */
export interface DeadLetterList {
  readonly deadLetters: readonly DeadLetter[]
}

/** A call of a `once` tool whose outcome a crash has hidden. */
export interface UnknownCall {
  readonly runId: string
  readonly callId: string
  readonly name: string
  readonly input: Json
  /** Number and time of the entry that ended the call. */
  readonly seq: number
  readonly at: number
  /** What an operator has found out. Absent until it is recorded. */
  readonly recorded?: RecordedOutcome | undefined
}

/** What an operator has found out about a call. */
export interface RecordedOutcome extends RecordOutcomeRequest {
  readonly by: string
  readonly at: number
}

/** Body of `POST /unknown-calls/{runId}/{callId}`. */
export interface RecordOutcomeRequest {
  /** Whether the call took effect. */
  readonly tookEffect: boolean
  /** What the operator found, for later readers. */
  readonly note: string
}

/** The calls of the newest runs whose outcome is unknown: `GET /unknown-calls`. */
export interface UnknownCallList {
  readonly calls: readonly UnknownCall[]
  /** Value of `after` to look at older runs. Absent if all were looked at. */
  readonly next?: string | undefined
}

/** State of the server: `GET /runs-api/health`. */
export interface ServerHealth {
  /** Whether the server starts runs. */
  readonly alive: boolean
  readonly activeRuns: number
  readonly queuedRuns: number
  /** The last model call of the process. Absent before the first one. */
  readonly lastModelCall?: { readonly at: number; readonly error?: string | undefined } | undefined
  readonly parts: readonly HealthPart[]
}

/** One part of the server. */
export interface HealthPart {
  readonly kind: 'store' | 'event-bus' | 'model' | 'tool-source' | 'tool'
  readonly name: string
  /** `unknown`: the part has not been used yet, and asking it would cost something. */
  readonly status: 'ok' | 'failed' | 'unknown'
  /** Why the part failed, or what it offers. */
  readonly detail?: string | undefined
  readonly error?: ErrorInfo | undefined
}
