/** How far one run may go. Checked with `>=`, in this order, before each turn; the duration also during it. */
export interface Limits {
  /** Model calls. @default 50 */
  readonly maxTurns?: number | undefined
  /** Input, output and cached tokens of all calls together, those of sub-agents included. @default 1_000_000 */
  readonly maxTokens?: number | undefined
  /** Milliseconds somebody worked on the run; while it is suspended, or its process is gone, they stand still. @default 600_000 */
  readonly maxDurationMs?: number | undefined
  /** US dollars; needs a model with known prices. @default none */
  readonly maxCost?: number | undefined
}
