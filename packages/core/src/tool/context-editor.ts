import type { ContextEdit } from '../schema/context-edit.ts'

/** Lets a tool take steps of its run out of what the model is sent from its next call on. The log keeps everything. */
export interface ContextEditor {
  /** The steps that may go, oldest first: not the one the call belongs to, nor those that are not sent any more. */
  steps(): readonly ContextStep[]
  /**
   * Asks for an edit, one for each call. It is recorded with the call's result, so that no crash comes between, and made
   * before the next model call; a call that ends in an error changes nothing. Steps go whole, what people said stays.
   * @returns What goes.
   * @throws ParleyError `tool-failed` where nothing would go, or the step to go back to is not among those that are left.
   */
  edit(edit: ContextEdit): Promise<ContextCut>
}

/** An answer of the run's model, with the results of its calls. */
export interface ContextStep {
  /** Its number in the run, from 1. It does not change when others go. */
  readonly step: number
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
}

export interface ContextCut {
  readonly steps: number
  /** Estimated. */
  readonly tokens: number
}
