import type { Json } from '@parley/core'
import type { StepFailure } from '../definition/workflow.ts'

/** What came of a call, as the transcript has it. */
export type CallOutcome =
  | {
      readonly type: 'ok'
      readonly value: Json
      /** Of steps that ran in a run of their own and went on after them. */
      readonly failures: readonly StepFailure[]
    }
  | {
      readonly type: 'failed'
      readonly failure: StepFailure
      /** What a person said, or that nobody said anything. */
      readonly decision?: 'rejected' | 'timed-out' | undefined
    }

/** A call to make. */
export interface StepCall {
  readonly step: string
  readonly tool: string
  readonly input: Json
}

/** What walking through a plan comes to. */
export type WalkOutcome =
  | { readonly type: 'done'; readonly value: Json }
  | { readonly type: 'failed'; readonly failure: StepFailure }
  /** These come next. */
  | { readonly type: 'pending'; readonly calls: readonly StepCall[] }

export interface Walk {
  readonly outcomeOf: (step: string) => CallOutcome | undefined
  /** Collects the failures that did not end the run. */
  readonly failures: StepFailure[]
  /** Calls that may be at work at once. */
  readonly limit: number
}

export function done(value: Json): WalkOutcome {
  return { type: 'done', value }
}

export function failed(step: string, code: string, detail: string): WalkOutcome {
  return { type: 'failed', failure: { step, code, detail } }
}
