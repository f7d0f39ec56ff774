import type { Cost, Delegate, Json, Message, Usage } from '@parley/core'
import type { MadeCall } from '../../trajectory/made-call.ts'

/** What a scorer judges: a case, the output of the task, and what the task did. */
export interface Sample<out TInput = unknown, out TOutput = unknown, out TExpected = unknown> {
  readonly id: string
  readonly input: TInput
  readonly output: TOutput
  /** The output as text: itself, or its JSON. */
  readonly text: string
  /** `undefined` if the case has none. */
  readonly expected: TExpected | undefined
  readonly metadata: Readonly<Record<string, Json>> | undefined
  /** Number of the trial, from 1. */
  readonly trial: number
  /** The agents that the task ran, and the time that it took. */
  readonly run: SampleRun
}

/** What the task of a sample did. */
export interface SampleRun {
  /** The runs that the task started, in order. Empty for a task without an agent. */
  readonly runIds: readonly string[]
  /** The messages of these runs. */
  readonly messages: readonly Message[]
  /** The tool calls in these messages. */
  readonly calls: readonly MadeCall[]
  /** Usage of these runs and their child runs. */
  readonly usage: Usage
  /** `undefined` if no price is known. */
  readonly cost: Cost | undefined
  /** Number of model calls of these runs. */
  readonly turns: number
  /** Milliseconds in which the task worked. The time between a crash and the next start does not count. */
  readonly durationMs: number
}

/** What a scorer may use besides the sample. */
export interface ScorerContext {
  readonly signal: AbortSignal
  /** Runs an agent, for example a judge. Its run is kept, and counts for the cost of the eval. A `key` names it within the scorer. */
  readonly delegate: Delegate
}
