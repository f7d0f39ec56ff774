/** Limits of one run. They are checked with `>=`, in this order, before each turn; the duration also during a turn. */
export interface Limits {
  /** Number of model calls. @default 50 */
  readonly maxTurns?: number | undefined
  /** Input, output and cached tokens of all model calls, including those of child runs. @default 1_000_000 */
  readonly maxTokens?: number | undefined
  /** Milliseconds during which a worker drives the run. Suspended time and time after a crash do not count. @default 600_000 */
  readonly maxDurationMs?: number | undefined
  /** Cost in US dollars. Requires a model with known prices. @default none */
  readonly maxCost?: number | undefined
}
