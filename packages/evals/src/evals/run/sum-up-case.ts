import type { Json } from '@parley/core'
import type { EvalCase } from '../data/eval-case.ts'
import type { Scorer } from '../scorers/scorer.ts'
import type { CaseResult, CaseStatus, TrialResult } from './eval-result.ts'

/** Sums up the trials of a case. @param planned How many trials it should have. */
export function sumUpCase(
  { id, input, expected }: EvalCase,
  trials: readonly TrialResult[],
  { scorers, planned }: { readonly scorers: readonly Scorer<never, never, never>[]; readonly planned: number },
): CaseResult {
  const scores: Record<string, number> = {}
  for (const { name } of scorers) {
    const found = trials.flatMap(trial => trial.scores.find(score => score.name === name)?.score ?? [])
    if (found.length > 0) scores[name] = found.reduce((sum, score) => sum + score, 0) / found.length
  }
  return {
    id,
    input: input as Json,
    ...(expected === undefined ? {} : { expected: expected as Json }),
    status: statusOf(),
    scores,
    trials,
  }

  function statusOf(): CaseStatus {
    if (trials.some(({ error, scores: given }) => error !== undefined || given.some(each => each.error !== undefined)))
      return 'error'
    if (trials.length < planned) return 'not-run'
    // The sum of several thirds may be a little below 1.
    return scorers.every(({ name, threshold }) => (scores[name] ?? 0) >= threshold - 1e-9) ? 'passed' : 'failed'
  }
}
