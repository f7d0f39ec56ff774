import type { Limits } from '@parley/core'

/** The call of a run that is driven elsewhere, for which a sub-agent's run works. Plain data, to be sent with its input. */
export interface Caller {
  readonly runId: string
  readonly callId: string
  /** Run and call ids down to that run. */
  readonly path: readonly string[]
  /** What the sub-agent's run may use: its own limits, within what was left of its caller's when it was asked for. */
  readonly limits: Limits
}
