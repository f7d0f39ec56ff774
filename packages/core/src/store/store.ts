import type { ArtifactStore } from './artifact-store.ts'
import type { DeadLetterStore } from './dead-letter-store.ts'
import type { NoteStore } from './note-store.ts'
import type { RunInbox } from './run-inbox.ts'
import type { Entry, Relation } from '../schema/entry.ts'
import type { WorkflowStore } from './workflow-store.ts'

/**
 * Where journals live. One run has one writer: the worker that holds its claim.
 * `describeStoreContract` in `@parley/testing/contract` checks every promise made here.
 */
export interface Store extends AsyncDisposable {
  /** Shown in errors: a path, a host. */
  readonly name: string
  /**
   * Adds entries to a run's journal, all or none. The first entry of a new run must be `run.started`.
   * @throws ParleyError `store-fenced` when `worker` and `fence` are not those of the last claim, else
   * `store-conflict` when the journal does not end at `expectedSeq` (or the run exists and that is 0), and
   * `internal` for entries that are not numbered on from it; `session-busy` when the first append of a run names a
   * `sessionHead` that is not the newest run of its session any more; `inbox-unread` when the entries end the run, or
   * suspend it for a person, while its inbox has items that are not `taken`.
   */
  append(append: JournalAppend): Promise<void>
  /** A run's entries in order, from `afterSeq` on. Empty for a run that does not exist. */
  read(runId: string, options?: { readonly afterSeq?: number | undefined }): Promise<readonly Entry[]>
  run(runId: string): Promise<RunRecord | undefined>
  /** Newest first: by start, then by run id. */
  runs(query: RunQuery): Promise<readonly RunRecord[]>
  /**
   * Makes `worker` the run's only writer; each claim raises the fence, also a repeated one of the same worker.
   * Answers with the holder instead while another live worker has it, unless `force` is set.
   * @throws ParleyError `run-unknown`.
   */
  claim(claim: ClaimRequest): Promise<Claim>
  /** Keeps every claim of `worker` alive until `at + ttlMs`, exclusive. The last beat counts, also a shorter one. */
  heartbeat(beat: { readonly worker: string; readonly at: number; readonly ttlMs: number }): Promise<void>
  /**
   * Removes the scope's ended runs that were last written before `before`, or that one of them, with their journals and
   * inboxes, but keeps every run that a remaining one descends from. Never touches an unfinished run. Removes the artifacts
   * that were kept before then in sessions of the scope that have no run any more, and forgets workers whose last heartbeat
   * lapsed before then. Leaves notes and definitions of workflows alone. Absent in a store that keeps everything.
   * @returns How many runs were removed.
   */
  prune?(query: PruneQuery): Promise<number>
  /**
   * Calls `listener` with the id of a run when its journal has grown, whichever process wrote. A hint: it may come late,
   * twice or never, so that a reader also looks by itself from time to time. Ends when what it answers with is disposed.
   * Absent in a store that cannot tell.
   */
  watch?(listener: (runId: string) => void): Promise<AsyncDisposable>
  /** Where others leave word for a run. Absent in a store through which nobody can reach the driver of a run. */
  readonly inbox?: RunInbox | undefined
  /** Large results of tools. Absent in a store that keeps none. */
  readonly artifacts?: ArtifactStore | undefined
  /** Events that no subscriber took, beside the journals. Absent in a store that keeps none. */
  readonly deadLetters?: DeadLetterStore | undefined
  /** Notes that outlive runs. Absent in a store that keeps none. */
  readonly notes?: NoteStore | undefined
  /** Definitions of workflows. Absent in a store that keeps none. */
  readonly workflows?: WorkflowStore | undefined
}

export interface JournalAppend {
  readonly runId: string
  /** Number of the last entry the writer has seen; 0 for a new run. */
  readonly expectedSeq: number
  readonly worker: string
  /** From `claim`; 1 for the run a worker has just started. */
  readonly fence: number
  readonly entries: readonly Entry[]
  /**
   * For the first append of a run: the run that has to be its session's newest, null when it has to have none. Of
   * several writers that start from the same point of a session, one wins. @default not checked
   */
  readonly sessionHead?: string | null | undefined
  /**
   * Position of the last inbox item that these entries tell of: the items up to it are taken together with them, or not
   * at all. @default none is taken
   */
  readonly taken?: number | undefined
}

/** A run at a glance. */
export interface RunRecord {
  readonly runId: string
  readonly sessionId: string
  readonly scope: string
  readonly agent: string
  readonly relation: Relation
  /** The run this one goes on from, branches off or repeats; absent for one that begins anew. */
  readonly parent?: string | undefined
  readonly status: RunStatus
  /** Entries in its journal. */
  readonly seq: number
  readonly startedAt: number
  readonly updatedAt: number
}

export type RunStatus = 'running' | 'suspended' | 'completed' | 'limit' | 'cancelled' | 'rejected' | 'failed'

export interface RunQuery {
  readonly scope: string
  readonly sessionId?: string | undefined
  readonly status?: RunStatus | undefined
  /** The one the run began with. */
  readonly agent?: string | undefined
  /** How the run came to be. */
  readonly relation?: Relation | undefined
  /** The run it goes on from, branches off or repeats. */
  readonly parent?: string | undefined
  /** @default 100 */
  readonly limit?: number | undefined
}

export interface PruneQuery {
  readonly scope: string
  /** Milliseconds since the epoch, exclusive. */
  readonly before: number
  /** Only this one. @default every run of the scope */
  readonly runId?: string | undefined
}

export interface ClaimRequest {
  readonly runId: string
  readonly worker: string
  readonly at: number
  /** Take it from a live worker, too; that worker's next append is refused. @default false */
  readonly force?: boolean | undefined
}

export type Claim =
  | { readonly granted: true; readonly fence: number }
  | { readonly granted: false; readonly worker: string }
