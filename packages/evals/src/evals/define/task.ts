import type { Delegate, Json } from '@parley/core'

/**
 * Makes the output of a case. It may be executed again after a crash, until its case is finished; the runs that it started with
 * `delegate` are resumed then.
 */
export type Task<in TInput = unknown, out TOutput = unknown> = (
  context: TaskContext<TInput>,
) => Promise<TOutput> | TOutput

/** Argument of a task. */
export interface TaskContext<out TInput = unknown> {
  readonly id: string
  readonly input: TInput
  readonly metadata: Readonly<Record<string, Json>> | undefined
  /** Number of the trial, from 1. */
  readonly trial: number
  readonly signal: AbortSignal
  /** Runs an agent. Its run is kept; its tool calls, its cost and its time are known to the scorers. */
  readonly delegate: Delegate
}
