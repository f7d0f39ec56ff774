import type { Json } from '../schema/json.ts'
import type { StoreCallOptions } from './store-call-options.ts'

/** A saved version of a workflow definition. */
export interface WorkflowRecord {
  readonly name: string
  /** Number of the version, from 1, without gaps. */
  readonly version: number
  readonly definition: Json
  /** Time at which the version was saved, in milliseconds since the epoch. */
  readonly savedAt: number
}

/** A workflow definition to save. */
export interface WorkflowPut extends WorkflowKey {
  /** Time of the save, in milliseconds since the epoch. */
  readonly at: number
  readonly definition: Json
}

/** Identifies a workflow: all versions of one name in one scope. */
export interface WorkflowKey {
  readonly scope: string
  readonly name: string
}

/**
 * Keeps workflow definitions. Each belongs to one scope, and no call sees definitions of another scope. A version never
 * changes, so a run can continue with the version that it started with. `Store.prune` keeps definitions.
 * `describeWorkflowContract` of `@parley/testing/contract` tests every promise made here.
 */
export interface WorkflowStore {
  /** Saves the next version of a name. Returns the newest version instead if its definition is the same JSON text. */
  put(workflow: WorkflowPut, options?: StoreCallOptions): Promise<WorkflowRecord>
  /** Returns the given version, or the newest if `version` is absent. `undefined` for an unknown one. */
  get(
    key: WorkflowKey & { readonly version?: number | undefined },
    options?: StoreCallOptions,
  ): Promise<WorkflowRecord | undefined>
  /** Lists the newest version of each name in the scope, by name. */
  list(query: { readonly scope: string }, options?: StoreCallOptions): Promise<readonly WorkflowRecord[]>
  /** Lists all versions of a name, newest first. */
  versions(key: WorkflowKey, options?: StoreCallOptions): Promise<readonly WorkflowRecord[]>
  /** Removes all versions of a name. The next definition with this name is version 1. @returns Whether the name was known. */
  remove(key: WorkflowKey, options?: StoreCallOptions): Promise<boolean>
}
