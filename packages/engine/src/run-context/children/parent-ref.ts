import type { Limits } from '@parley/core'

/** The tool call that a child run works for, if another process may drive the parent run. Plain data. */
export interface ParentRef {
  readonly runId: string
  readonly callId: string
  /** Run and call ids from the root run down to the parent run. */
  readonly path: readonly string[]
  /** Limits of the child run: its own, but at most what the parent run had left when it requested the child run. */
  readonly limits: Limits
}
