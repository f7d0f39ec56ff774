import { checkCount, checkNumber, checkOptions, type Clock, type OptionKinds } from '@parley/core'
import type { Runtime } from '@parley/engine'
import type { CaseResult, EvalResult, EvalVersion } from './eval-result.ts'

/** Options of `runEval`. */
export interface RunEvalOptions {
  /** Runs the trials. It must have a store, which keeps them: an eval that was interrupted continues there. @default one in memory */
  readonly runtime?: Runtime | undefined
  /** @default the eval's */
  readonly trials?: number | undefined
  /** @default the eval's */
  readonly concurrency?: number | undefined
  /** @default the eval's */
  readonly maxCost?: number | undefined
  /** Selects cases: those whose id contains the text. @default all */
  readonly filter?: string | undefined
  /** The version of the program, for the result. @default unknown */
  readonly version?: EvalVersion | undefined
  /** Begins a new run even if one of the same version was interrupted. @default false */
  readonly fresh?: boolean | undefined
  /** Called when the cases are known, and after each trial. @default none */
  readonly onProgress?: ((progress: EvalProgress) => void) | undefined
  /**
   * Keeps the result. Called before the run of the eval ends, so that a crash in between repeats this call and nothing else.
   * @default none
   */
  readonly onResult?: ((result: EvalResult) => Promise<void> | void) | undefined
  /** Tells the times of the result. @default systemClock */
  readonly clock?: Clock | undefined
  /** Aborting it cancels the eval and its trials. */
  readonly signal?: AbortSignal | undefined
}

/** How far an eval is. */
export interface EvalProgress {
  readonly runId: string
  /** Number of all trials. */
  readonly total: number
  /** Number of trials that have ended, including `resumed`. */
  readonly done: number
  /** Number of trials that had ended before the eval was resumed. */
  readonly resumed: number
  readonly costUsd: number
  /** The case whose last trial has just ended. */
  readonly ended?: CaseResult | undefined
}

const OPTIONS: OptionKinds<RunEvalOptions> = {
  runtime: 'object',
  trials: 'number',
  concurrency: 'number',
  maxCost: 'number',
  filter: 'string',
  version: { commit: 'string', dirty: 'boolean', code: 'string' },
  fresh: 'boolean',
  onProgress: 'function',
  onResult: 'function',
  clock: 'clock',
  signal: 'signal',
}

/** Checks the options of the function `where`. @throws ParleyError `config-invalid`. */
export function checkRunEvalOptions(options: RunEvalOptions, where = 'runEval'): void {
  checkOptions(where, options, OPTIONS)
  const { trials, concurrency, maxCost } = options
  checkCount({ trials, concurrency }, where)
  checkNumber({ path: `${where}.maxCost`, value: maxCost, min: 0 })
}
