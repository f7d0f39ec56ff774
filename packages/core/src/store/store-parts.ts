import type { ArtifactStore } from './artifact-store.ts'
import type { DeadLetterStore } from './dead-letter-store.ts'
import type { NoteStore } from './note-store.ts'
import type { QuotaStore } from './quota-store.ts'
import type { RunInbox } from './run-inbox.ts'
import type { RunReports } from './run-reports.ts'
import type { WorkflowStore } from './workflow-store.ts'

/** What a store may keep or report beside the journals. Each part is absent if the store does not have it. */
export interface StoreParts {
  /** Commands for runs that another process drives. Absent if the store has no inboxes. */
  readonly inbox?: RunInbox | undefined
  /** Large tool results. Absent if the store keeps none. */
  readonly artifacts?: ArtifactStore | undefined
  /** Events that a subscriber of the event bus did not accept. Absent if the store keeps none. */
  readonly deadLetters?: DeadLetterStore | undefined
  /** Notes that outlive runs. Absent if the store keeps none. */
  readonly notes?: NoteStore | undefined
  /** Totals of quotas. Absent if the store ignores `JournalAppend.counts`; it then refuses no run. */
  readonly quotas?: QuotaStore | undefined
  /** Totals over many runs, for those who operate them. Absent if the store makes none. */
  readonly reports?: RunReports | undefined
  /** Workflow definitions. Absent if the store keeps none. */
  readonly workflows?: WorkflowStore | undefined
}
