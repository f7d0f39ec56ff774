import type { Json } from '@parley/core'

/** The result of an eval, as JSON. `parley eval` keeps it in a file, and `compareResults` compares two of them. */
export interface EvalResult {
  readonly format: 1
  /** Name of the eval. */
  readonly name: string
  /** The run of the eval. Its trials are runs of their own. */
  readonly runId: string
  /** What was evaluated. */
  readonly version: EvalVersion
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
  readonly trials: number
  readonly scorers: readonly { readonly name: string; readonly threshold: number }[]
  readonly cases: readonly CaseResult[]
  /** What the trials and their judges cost, in US dollars, as far as prices are known. */
  readonly costUsd: number
  /** Why trials were not started. Absent if all were. */
  readonly stopped?: string | undefined
  /** Whether every case passed: all its trials were scored, and no mean score is below its threshold. */
  readonly passed: boolean
}

/** The version of the program that an eval ran. */
export interface EvalVersion {
  /** Commit of the working copy. @default unknown */
  readonly commit?: string | undefined
  /** Whether the working copy had changes. @default false */
  readonly dirty?: boolean | undefined
  /** Text that changes with every change of the program. An interrupted eval is continued only by the same code. @default the commit */
  readonly code?: string | undefined
}

/** `error`: a trial failed or could not be scored. `not-run`: the eval stopped before. */
export type CaseStatus = 'passed' | 'failed' | 'error' | 'not-run'

/** The result of a case. */
export interface CaseResult {
  readonly id: string
  readonly input: Json
  readonly expected?: Json | undefined
  readonly status: CaseStatus
  /** The mean of the trials, by scorer. Absent for a scorer that has none. */
  readonly scores: Readonly<Record<string, number>>
  readonly trials: readonly TrialResult[]
}

/** The result of a trial. */
export interface TrialResult {
  readonly trial: number
  readonly runId: string
  readonly output?: Json | undefined
  /** Why there is no output. Such a trial has no scores. */
  readonly error?: string | undefined
  /** Milliseconds in which the task worked. */
  readonly durationMs: number
  readonly costUsd?: number | undefined
  readonly scores: readonly ScoreResult[]
}

/** A score of a trial. It has either a `score` or an `error`. */
export interface ScoreResult {
  readonly name: string
  /** From 0 to 1. */
  readonly score?: number | undefined
  readonly reason?: string | undefined
  /** Why the scorer gave no score. */
  readonly error?: string | undefined
}
