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

/** The outcome of a walk through a plan. `noted` are the failures on the way that did not end the run. */
export type WalkOutcome =
  | { readonly type: 'done'; readonly value: Json; readonly noted: readonly StepFailure[] }
  | { readonly type: 'failed'; readonly failure: StepFailure; readonly noted: readonly StepFailure[] }
  /** These calls must run next. */
  | { readonly type: 'pending'; readonly calls: readonly StepCall[] }

/** A walk through the plan of one run. */
export interface Walk {
  readonly outcomeOf: (step: string) => CallOutcome | undefined
  /** Where earlier walks through the same outcomes stopped, by the id of the steps. May be lost at any time: the walk then starts over. */
  readonly places: Places
  /** Maximum number of concurrent calls. */
  readonly limit: number
}

/** The places of a walk: in sequences, in repeat steps, and in lists of branches. */
export interface Places {
  readonly sequences: Map<string, SequencePlace>
  readonly repeats: Map<string, RepeatPlace>
  readonly lanes: Map<string, LanesPlace>
}

/** The steps of a sequence that are done. */
export interface SequencePlace {
  next: number
  /** The values of the sequence itself: `result`, and the outputs of its named steps. */
  readonly values: Map<string, Json>
  readonly results: Json[]
  readonly noted: StepFailure[]
}

/** The rounds of a repeat step that are done. */
export interface RepeatPlace {
  round: number
  result: Json
  readonly noted: StepFailure[]
}

/** The branches that have ended, up to the first that has not. */
export interface LanesPlace {
  readonly values: Json[]
  readonly noted: StepFailure[]
  readonly failures: StepFailure[]
}

export function createPlaces(): Places {
  return { sequences: new Map(), repeats: new Map(), lanes: new Map() }
}

export function done(value: Json, noted: readonly StepFailure[] = []): WalkOutcome {
  return { type: 'done', value, noted }
}

export function failed(step: string, code: string, detail: string): WalkOutcome {
  return failedBy({ step, code, detail })
}

export function failedBy(failure: StepFailure, noted: readonly StepFailure[] = []): WalkOutcome {
  return { type: 'failed', failure, noted }
}

/** The outcome after failures that did not end the run. */
export function after(noted: readonly StepFailure[], outcome: WalkOutcome): WalkOutcome {
  if (outcome.type === 'pending' || noted.length === 0) return outcome
  return { ...outcome, noted: [...noted, ...outcome.noted] }
}
