import type { ToolEffect } from '@parley/core'

/** What the kills did to a tool. The worst counts: `repeated`, then `lost`, then `unknown`. */
export type CrashVerdict =
  /** A resumed run changed the world once more than a run that was not killed. */
  | 'repeated'
  /** The run says that the call succeeded, or repeats it, and the world or the result lacks something. */
  | 'lost'
  /** The run says that a crash has hidden the outcome. The model can ask the user. Nothing was done twice. */
  | 'unknown'
  | 'safe'

/** What the crash test found out about one tool of an agent. */
export interface ToolReport {
  readonly agent: string
  readonly tool: string
  readonly declared: ToolEffect
  readonly verdict: CrashVerdict
  /** The effect that the tool should declare, after its fault is repaired if `declared` is right. */
  readonly shouldDeclare: ToolEffect
  readonly isFault: boolean
  /** What was found, in sentences. */
  readonly explanation: string
  /** The kill that showed it. Absent if a run without a kill showed it, or if there is nothing to show. */
  readonly shownBy?: ShownBy | undefined
  /** Kill points that had the verdict, of all that the tool was judged at. */
  readonly counts: { readonly points: number; readonly verdict: number }
}

/** A kill, and how to repeat it. */
export interface ShownBy {
  /** The point, for the option `at`. */
  readonly at: string
  /** The agent that the run started with. */
  readonly agent: string
  readonly input: string
  /** The point in words. */
  readonly words: string
}

/** A run that did not come to its end. */
export interface RunFault {
  readonly agent: string
  readonly input: string
  readonly explanation: string
  readonly shownBy?: ShownBy | undefined
}

/** The result of a crash test. */
export interface CrashReport {
  readonly tools: readonly ToolReport[]
  /** Runs that a kill has stopped for good. */
  readonly runs: readonly RunFault[]
  /** Agents that called no tool. */
  readonly withoutCalls: readonly string[]
  /** Number of processes that were killed. */
  readonly kills: number
  /** Whether a tool or a run has a fault. */
  readonly hasFaults: boolean
}
