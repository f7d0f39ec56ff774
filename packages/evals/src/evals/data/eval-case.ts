import type { Json } from '@parley/core'

/** One question of an eval. Must be JSON, because its runs and results are kept. */
export interface EvalCase<TInput = unknown, TExpected = unknown> {
  /** Unique in the data. Results of two versions are paired by it, so it must stay the same. */
  readonly id: string
  readonly input: TInput
  /** What scorers compare the output with. @default none */
  readonly expected?: TExpected | undefined
  /** Data for your own scorers and for reports. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
}

/** The cases of an eval, or a function that loads them when the eval starts, as `readJsonl` returns it. */
export type EvalData<TInput = unknown, TExpected = unknown> =
  | readonly EvalCase<TInput, TExpected>[]
  | (() => Promise<readonly EvalCase<TInput, TExpected>[]> | readonly EvalCase<TInput, TExpected>[])
