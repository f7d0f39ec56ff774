import type { Relation, RunStatus } from '@parley/core'

/** The tables of a store. A driver must hand back `bigint` columns as numbers. */
export interface StoreTables {
  readonly runs: RunRow
  readonly appends: AppendRow
  readonly workers: WorkerRow
  readonly inbox: InboxRow
  readonly dead_letters: DeadLetterRow
  readonly artifacts: ArtifactRow
  readonly memory_notes: NoteRow
  readonly memory_words: NoteWordRow
  readonly workflows: WorkflowRow
}

/**
 * One run: its record, and who may write to it. A backend with an `append` of its own need not touch the row for what
 * leaves its status as it is: `runRows` reads `seq` and `updated_at` from the appends.
 */
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
  /** Items its inbox was ever sent. */
  readonly received: number
  /** Those of them it has taken. */
  readonly taken: number
}

/** The entries of one append. */
export interface AppendRow {
  readonly run_id: string
  /** Number of its last entry. */
  readonly seq: number
  /** When that was made. */
  readonly at: number
  /** The whole entries as the JSON text of an array. */
  readonly entries: string
}

/** A command for a run. Stays once it is taken, so that it cannot be put again, and goes with the run. */
export interface InboxRow {
  readonly run_id: string
  readonly position: number
  readonly item_id: string
  readonly at: number
  /** The command as JSON text. */
  readonly command: string
}

export interface WorkerRow {
  readonly worker: string
  readonly alive_until: number
}

export interface ArtifactRow {
  readonly artifact_id: string
  readonly scope: string
  readonly session_id: string
  readonly kept_at: number
  /** The whole artifact as JSON text. */
  readonly artifact: string
}

export interface DeadLetterRow {
  readonly letter_id: string
  readonly subscriber: string
  readonly failed_at: number
  /** The whole letter as JSON text. */
  readonly letter: string
}

export interface NoteRow {
  readonly scope: string
  readonly note_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly uses: number
  readonly last_used_at: number | null
  /** What it says as JSON text. */
  readonly note: string
}

/** A word that a note of the scope is found by. */
export interface NoteWordRow {
  readonly scope: string
  readonly word: string
  readonly note_id: string
}

export interface WorkflowRow {
  readonly scope: string
  readonly name: string
  readonly version: number
  readonly saved_at: number
  /** As JSON text. */
  readonly definition: string
}
