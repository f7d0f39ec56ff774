import type { ContextEdit } from '../schema/context-edit.ts'

/** Lets a tool remove steps of its run from what is sent to the model. The transcript keeps every message. */
export interface ContextEditor {
  /**
   * Returns the steps that can be removed, oldest first. These are all steps that are still sent to the model, except
   * the step of this call.
   */
  steps(): readonly ContextStep[]
  /**
   * Requests an edit. Each call may request one. The edit is recorded with the call's result and applied before the
   * next model call. A call that ends in an error changes nothing. A step is always removed as a whole. Messages of the
   * user stay.
   * @returns What the edit removes.
   * @throws ParleyError `tool-failed` if the edit removes nothing, or its target step is unknown or already removed.
   */
  edit(edit: ContextEdit): Promise<ContextCut>
}

/** An answer of the run's model, with the results of its calls. */
export interface ContextStep {
  /** Number of the step in the run, from 1. It stays the same when other steps are removed. */
  readonly step: number
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
}

/** The extent of an edit: the number of steps and tokens that it removes. */
export interface ContextCut {
  /** Number of removed steps. */
  readonly steps: number
  /** Estimated number of removed tokens. */
  readonly tokens: number
}
