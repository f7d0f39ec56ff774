import type { Json } from '@parley/core'
import type { StepFailure } from '../definition/workflow.ts'

/** The outcome of a call, read from the transcript. */
export type CallOutcome =
  | {
      readonly type: 'ok'
      readonly value: Json
      /** Failures in a child run that did not end it. */
      readonly failures: readonly StepFailure[]
    }
  | {
      readonly type: 'failed'
      readonly failure: StepFailure
      /** Why an approval step failed. Missing for other calls. */
      readonly decision?: 'rejected' | 'timed-out' | undefined
    }

/** A tool call of a step. */
export interface StepCall {
  readonly step: string
  readonly tool: string
  readonly input: Json
}

/** The outcome of a walk through a plan. */
export type WalkOutcome =
  | { readonly type: 'done'; readonly value: Json }
  | { readonly type: 'failed'; readonly failure: StepFailure }
  /** These calls must run next. */
  | { readonly type: 'pending'; readonly calls: readonly StepCall[] }

/** The state of a walk through a plan. */
export interface Walk {
  readonly outcomeOf: (step: string) => CallOutcome | undefined
  /** Collects the failures that did not end the run. */
  readonly failures: StepFailure[]
  /** Maximum number of concurrent calls. */
  readonly limit: number
}

export function done(value: Json): WalkOutcome {
  return { type: 'done', value }
}

export function failed(step: string, code: string, detail: string): WalkOutcome {
  return { type: 'failed', failure: { step, code, detail } }
}
