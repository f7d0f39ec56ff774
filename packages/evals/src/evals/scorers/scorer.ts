import { checkOptions, refuseOption, type OptionKinds } from '@parley/core'
import type { Sample, ScorerContext } from './sample.ts'

/** Judges samples. */
export interface Scorer<in TInput = unknown, in TOutput = unknown, in TExpected = unknown> {
  /** Unique in an eval. Results of two versions are paired by it. */
  readonly name: string
  /** The least mean score over the trials of a case with which the case passes. */
  readonly threshold: number
  /** An error that it throws makes this score an error; the eval continues. */
  readonly score: (
    sample: Sample<TInput, TOutput, TExpected>,
    context: ScorerContext,
  ) => ScoreValue | Promise<ScoreValue>
}

/** A score from 0 to 1, where more is better; `true` is 1 and `false` is 0. The reason is shown in reports. */
export type ScoreValue = number | boolean | { readonly score: number | boolean; readonly reason?: string | undefined }

/** Options that all scorers have. */
export interface ScorerOptions {
  /** Name in reports. Set it if an eval has two scorers of the same kind. @default the kind of the scorer */
  readonly name?: string | undefined
  /** The least mean score over the trials of a case with which the case passes. 0: the score is only reported. @default 1 */
  readonly threshold?: number | undefined
}

/** Kinds of the options that all scorers have. */
export const SCORER_OPTIONS: OptionKinds<ScorerOptions> = { name: 'string', threshold: 'number' }

/** A scorer of your own. */
export interface ScorerDefinition<TInput, TOutput, TExpected> extends ScorerOptions {
  readonly name: string
  readonly score: Scorer<TInput, TOutput, TExpected>['score']
}

const DEFINITION: OptionKinds<ScorerDefinition<unknown, unknown, unknown>> = {
  ...SCORER_OPTIONS,
  name: 'string!',
  score: 'function!',
}

/**
 * Defines a scorer. `score` returns a number from 0 to 1, a boolean, or one of them with a reason.
 * @throws ParleyError `config-invalid` if an option is unknown, missing or invalid.
 */
export function defineScorer<TInput = unknown, TOutput = unknown, TExpected = unknown>(
  definition: ScorerDefinition<TInput, TOutput, TExpected>,
): Scorer<TInput, TOutput, TExpected> {
  checkOptions('defineScorer', definition, DEFINITION)
  const { name, threshold = 1, score } = definition
  if (!(threshold >= 0 && threshold <= 1))
    refuseOption(`scorers.${name}.threshold`, `is ${threshold}; must be a number from 0 to 1`)
  return { name, threshold, score }
}
