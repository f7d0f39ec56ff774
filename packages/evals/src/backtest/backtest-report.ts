import type { Json } from '@parley/core'
import type { RunSummary } from './recorded-run.ts'

/** What the change does to a run. */
export type BacktestVerdict =
  /** Both runs completed with the same answer, or ended in the same other way. With a scorer: the same score. */
  | 'same'
  /** Only the new run completed. With a scorer: a higher score. */
  | 'better'
  /** Only the recorded run completed. With a scorer: a lower score. */
  | 'worse'
  /** Both completed, with different answers, and no scorer says which is better. */
  | 'different'
  /** The new run asked for something that the recorded run does not have, and was stopped there. */
  | 'diverged'

/** What a new run asked for in vain. */
export interface Divergence {
  readonly kind: 'tool' | 'approval' | 'client'
  readonly tool: string
  readonly input: Json
  /** Why history does not have it, in a sentence. */
  readonly reason: string
}

/** One run before and after the change. */
export interface BacktestedRun {
  /** Id of the recorded run. */
  readonly runId: string
  readonly agent: string
  readonly input: string
  readonly verdict: BacktestVerdict
  readonly before: RunSummary
  readonly after: RunSummary
  /** Present if the run diverged. */
  readonly divergence?: Divergence | undefined
  /** The first model call whose answer differs, from 1. Absent if all answers are the same. */
  readonly firstDifference?:
    | { readonly turn: number; readonly before?: string | undefined; readonly after?: string | undefined }
    | undefined
  /** Present with a scorer, unless the run diverged. */
  readonly scores?: { readonly before: number; readonly after: number } | undefined
}

/** A run that could not be repeated. */
export interface SkippedRun {
  readonly runId: string
  readonly reason: string
  /** Whether its journal cannot be read. Otherwise the run has not ended. */
  readonly isDamaged: boolean
}

/** Totals over the runs that did not diverge. */
export interface BacktestTotals {
  /** US dollars. Absent if no price is known. */
  readonly costUsd?: number | undefined
  readonly modelMs: number
  readonly modelCalls: number
}

/** The result of a backtest. */
export interface BacktestReport {
  readonly runs: readonly BacktestedRun[]
  readonly skipped: readonly SkippedRun[]
  readonly counts: Readonly<Record<BacktestVerdict, number>>
  readonly before: BacktestTotals
  readonly after: BacktestTotals
}
