/**
 * Limits of one run. The engine checks them before each turn, in this order, and the duration also during a turn. A run
 * ends when a value is equal to its limit or above it; `maxDepth` limits calls instead.
 */
export interface Limits {
  /** Largest number of model calls. @default 50 */
  readonly maxTurns?: number | undefined
  /**
   * Largest number of input, output and cached tokens of all model calls, including those of child runs.
   * @default 1_000_000
   */
  readonly maxTokens?: number | undefined
  /**
   * Longest time, in milliseconds, during which a worker drives the run. Suspended time and the time from a crash to
   * the resume do not count. @default 600_000
   */
  readonly maxDurationMs?: number | undefined
  /**
   * Largest number of levels of child runs below the run. A call that would start a deeper one fails with `limit-reached`, and
   * the run continues. A child run has one level less than its parent run. @default 10
   */
  readonly maxDepth?: number | undefined
  /** Largest cost in US dollars. Requires a model with known prices. @default no limit */
  readonly maxCost?: number | undefined
}
