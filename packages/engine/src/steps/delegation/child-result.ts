import {
  ParleyError,
  ZERO_USAGE,
  type CancelReason,
  type DelegateResult,
  type ErrorInfo,
  type Json,
  type Outcome,
  type Store,
} from '@parley/core'
import { loadRun } from '../../run-context/stored/load-run.ts'
import type { ChildResult } from '../../journal/run-state.ts'
import type { IncompleteRun, RunResult } from '../../run-context/run-result.ts'
import { answerText } from '../../journal/answer-text.ts'
import type { ChildRun } from '../../run-context/children/child-runs.ts'

/** Returns the data of an ended child run that its parent run keeps. */
function toChildResult(outcome: Outcome, result: Ended): ChildResult {
  const { text, output, usage, cost, turns } = result
  return { outcome, text, output, usage, cost, turns }
}

interface Ended extends Omit<ChildResult, 'outcome' | 'output'> {
  readonly output?: Json | undefined
}

/** The result of a child run that was stopped before it began. */
export function neverRan(reason: CancelReason): ChildResult {
  const outcome = { status: 'cancelled' as const, reason }
  return { outcome, text: '', output: undefined, usage: ZERO_USAGE, cost: undefined, turns: 0 }
}

/** The result of a child run that could not begin. */
export function failedChild(error: ErrorInfo): ChildResult {
  const outcome = { status: 'failed' as const, error }
  return { outcome, text: '', output: undefined, usage: ZERO_USAGE, cost: undefined, turns: 0 }
}

/** Converts the result of a child run to what `context.delegate` returns. */
export function toDelegateResult(
  runId: string,
  { outcome, text, output, usage, cost, turns }: ChildResult,
): DelegateResult {
  if (outcome.status === 'completed') return { ...outcome, runId, text, output, usage, cost, turns }
  return { ...outcome, runId, partialText: text, usage, cost, turns }
}

/** The result of an ended run, from its journal. `undefined` while the run is unfinished. */
export async function loadRunResult(store: Store, runId: string): Promise<ChildResult | undefined> {
  const { outcome, finish, transcript, continued, output, usage, cost, turn: turns } = await loadRun(store, runId)
  if (outcome === undefined) return undefined
  const text = finish === undefined ? '' : answerText(transcript.toArray(), continued)
  return toChildResult(outcome, { text, output: output?.value, usage, cost, turns })
}

/**
 * The result of a child run in this process, or that it is suspended for approval.
 * @throws ParleyError The error that interrupted the run, also if its store failed before it began.
 */
export function settledResult(
  result: RunResult,
  { accepted }: Pick<ChildRun, 'accepted'>,
): ChildResult | Extract<RunResult, { status: 'suspended' }> {
  switch (result.status) {
    case 'suspended':
      return result
    case 'interrupted':
      throw new ParleyError(result.error)
    case 'completed':
      return toChildResult({ status: 'completed', finish: result.finish }, { ...result, output: accepted })
    case 'limit':
      return toChildResult({ status: 'limit', hit: result.hit }, partOf(result))
    case 'cancelled':
      return toChildResult({ status: 'cancelled', reason: result.reason }, partOf(result))
    case 'rejected':
      return toChildResult({ status: 'rejected', filter: result.filter, reason: result.reason }, partOf(result))
    case 'failed':
      if (result.error.code === 'store-unavailable') throw new ParleyError(result.error)
      return toChildResult({ status: 'failed', error: result.error }, partOf(result))
  }
}

function partOf({ partialText: text, usage, cost, turns }: IncompleteRun): Ended {
  return { text, usage, cost, turns }
}
