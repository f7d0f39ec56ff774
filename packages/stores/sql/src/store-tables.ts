import type { Relation, RunStatus } from '@parley/core'

/** The tables of a store. A driver must hand back `bigint` columns as numbers. */
export interface StoreTables {
  readonly runs: RunRow
  readonly entries: EntryRow
  readonly workers: WorkerRow
  readonly dead_letters: DeadLetterRow
}

/** One run: its record, and who may write to it. */
export interface RunRow {
  readonly run_id: string
  readonly session_id: string
  readonly scope: string
  readonly agent: string
  readonly relation: Relation
  readonly status: RunStatus
  /** Number of the last entry. */
  readonly seq: number
  /** Milliseconds since the epoch, as are all times here. */
  readonly started_at: number
  readonly updated_at: number
  readonly worker: string
  readonly fence: number
  readonly parent: string | null
}

export interface EntryRow {
  readonly run_id: string
  readonly seq: number
  readonly type: string
  readonly at: number
  /** The whole entry as JSON text. */
  readonly entry: string
}

export interface WorkerRow {
  readonly worker: string
  readonly alive_until: number
}

export interface DeadLetterRow {
  readonly letter_id: string
  readonly subscriber: string
  readonly failed_at: number
  /** The whole letter as JSON text. */
  readonly letter: string
}
