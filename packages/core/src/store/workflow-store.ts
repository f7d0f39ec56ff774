import type { Json } from '../schema/json.ts'

/** A definition as it was saved. */
export interface WorkflowRecord {
  readonly name: string
  /** From 1, without gaps. */
  readonly version: number
  readonly definition: Json
  /** Milliseconds since the epoch. */
  readonly savedAt: number
}

export interface WorkflowPut {
  readonly scope: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly definition: Json
}

/** Which definitions are meant: all versions of one name in one scope. */
export interface WorkflowKey {
  readonly scope: string
  readonly name: string
}

/**
 * Definitions of workflows, each in one scope: no call sees another's. A version never changes, so that a run can go on with the one
 * it began with. `Store.prune` leaves them alone. `describeWorkflowContract` in `@parley/testing/contract` checks every
 * promise made here.
 */
export interface WorkflowStore {
  /** Saves the next version of a name. What its newest version says already, in the same order, is not saved again. */
  put(workflow: WorkflowPut): Promise<WorkflowRecord>
  /** The version that is asked for, or else the newest. */
  get(key: WorkflowKey & { readonly version?: number | undefined }): Promise<WorkflowRecord | undefined>
  /** The newest version of each name, by name. */
  list(query: { readonly scope: string }): Promise<readonly WorkflowRecord[]>
  /** Newest first. */
  versions(key: WorkflowKey): Promise<readonly WorkflowRecord[]>
  /** Removes all versions. What is saved under the name after that is version 1 again. @returns Whether there were any. */
  remove(key: WorkflowKey): Promise<boolean>
}
