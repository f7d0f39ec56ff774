import type { Limits } from '@parley/core'

/** The tool call that a child run works for, if another process may drive the parent run. Plain data. */
export interface ParentRef {
  readonly runId: string
  readonly callId: string
  /** Run and call ids from the root run down to the parent run. */
  readonly path: readonly string[]
  /** What the child run may use: its own limits, within what was left of the parent run's when it was ordered. */
  readonly limits: Limits
}
