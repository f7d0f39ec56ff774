import type { Relation, RunStatus } from '@parley/core'
import type { RawBuilder } from 'kysely'

/** The tables of a store. The driver must return `bigint` columns as numbers. Times are in milliseconds since the epoch. */
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
  readonly quota_totals: QuotaTotalRow
  readonly run_words: RunWordRow
  readonly run_usage: RunUsageRow
}

/**
 * A run: its record and its claim. If the status stays the same, a backend with its own `append` need not update the
 * row. Queries read `seq` and `updated_at` from the appends.
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
  readonly started_at: number
  readonly updated_at: number
  readonly worker: string
  readonly fence: number
  readonly parent: string | null
  /** Number of commands that the run's inbox has received. */
  readonly received: number
  /** Number of received commands that the run has taken. */
  readonly taken: number
  /** Name of the model that the run started with. */
  readonly model: string | null
  readonly preview: string | null
  /** What an ended run used, as JSON: `usage` and `cost` of its record. */
  readonly spent: string | null
}

/** A word of a run's preview. */
export interface RunWordRow {
  readonly scope: string
  readonly word: string
  readonly started_at: number
  readonly run_id: string
  /** `markWords` of all words of the run. -1, which has every bit, in rows of earlier releases. */
  readonly mark_a: number
  readonly mark_b: number
}

/** What an ended run itself used of one model. */
export interface RunUsageRow {
  readonly run_id: string
  readonly model: string
  readonly scope: string
  readonly agent: string
  readonly ended_at: number
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cache_read: number
  readonly cache_write: number
  /** Cost in US dollars. 0 if no price is known. */
  readonly usd: number
}

/** The entries of one append. */
export interface AppendRow {
  readonly run_id: string
  /** Number of the last entry. */
  readonly seq: number
  /** Time of the last entry. */
  readonly at: number
  /** JSON array of the entries. */
  readonly entries: string
}

/** A command for a run. The row stays after the command is taken, so that its id cannot be used again. It is removed with the run. */
export interface InboxRow {
  readonly run_id: string
  readonly position: number
  readonly item_id: string
  readonly at: number
  /** The command as JSON. */
  readonly command: string
}

/** The heartbeat of a worker. */
export interface WorkerRow {
  readonly worker: string
  readonly alive_until: number
}

/** An artifact. */
export interface ArtifactRow {
  readonly artifact_id: string
  readonly scope: string
  readonly session_id: string
  readonly kept_at: number
  /** The artifact as JSON. */
  readonly artifact: string
}

/** A dead letter. */
export interface DeadLetterRow {
  readonly letter_id: string
  readonly subscriber: string
  readonly failed_at: number
  /** The letter as JSON. */
  readonly letter: string
}

/** A note. */
export interface NoteRow {
  readonly scope: string
  readonly note_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly uses: number
  readonly last_used_at: number | null
  /** Text, summary and categories as JSON. */
  readonly note: string
}

/** A word by which a note is found. */
export interface NoteWordRow {
  readonly scope: string
  readonly word: string
  readonly note_id: string
}

/** A version of a workflow definition. */
export interface WorkflowRow {
  readonly scope: string
  readonly name: string
  readonly version: number
  readonly saved_at: number
  /** The definition as JSON. */
  readonly definition: string
}

/** A total of a quota. */
export interface QuotaTotalRow {
  readonly scope: string
  readonly owner: string
  readonly since: number
  readonly until: number
  readonly runs: number
  readonly tokens: number
  /** Cost in US dollars. */
  readonly cost: number
}

/** A column type: `text`, or a type of the database, for example `text collate "C"`. */
export type TextType = 'text' | RawBuilder<unknown>
