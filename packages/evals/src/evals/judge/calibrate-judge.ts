import { refuseOption, type Json } from '@parley/core'
import { defineEval } from '../define/define-eval.ts'
import { runEval } from '../run/run-eval.ts'
import { checkRunEvalOptions, type RunEvalOptions } from '../run/run-options.ts'
import type { Scorer } from '../scorers/scorer.ts'
import { measureAgreement, type Agreement, type Verdicts } from './cohens-kappa.ts'

/** An answer that a person has judged. */
export interface LabelledAnswer {
  readonly id: string
  readonly input: Json
  readonly output: Json
  readonly expected?: Json | undefined
  /** Whether a person found the answer good. */
  readonly label: boolean
}

/** How far a judge agrees with people. */
export interface Calibration extends Agreement {
  /** Number of answers that the judge scored. */
  readonly answers: number
  readonly disagreements: readonly {
    readonly id: string
    readonly label: boolean
    readonly score: number
    readonly reason: string | undefined
  }[]
  /** Ids of the answers that the judge could not score. They do not count. */
  readonly unscored: readonly string[]
}

/**
 * Lets a judge score answers that people have labelled, and reports how far it agrees. A score of at least the judge's threshold
 * counts as good. It runs as an eval: with a runtime, an interrupted calibration continues.
 * @throws ParleyError What `runEval` throws.
 */
export async function calibrateJudge(
  scorer: Scorer,
  answers: readonly LabelledAnswer[],
  options: RunEvalOptions = {},
): Promise<Calibration> {
  checkRunEvalOptions(options, 'calibrateJudge')
  const labels = new Map(answers.map(answer => [answer.id, answer]))
  const result = await runEval(
    defineEval({
      name: `calibrate-${scorer.name.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 40)}`,
      data: answers.map(({ id, input, output, expected }) => ({ id, input, expected, metadata: { output } })),
      task: ({ metadata }) => metadata?.['output'],
      scorers: [scorer],
    }),
    options,
  )
  const verdicts: Verdicts[] = []
  const unscored: string[] = []
  const disagreements: Calibration['disagreements'][number][] = []
  for (const { id, scores, trials } of result.cases) {
    const score = scores[scorer.name]
    const label = labels.get(id)?.label
    if (score === undefined || label === undefined) {
      unscored.push(id)
      continue
    }
    const isGood = score >= scorer.threshold
    verdicts.push([isGood, label])
    if (isGood !== label) disagreements.push({ id, label, score, reason: trials[0]?.scores[0]?.reason })
  }
  if (verdicts.length === 0) refuseOption('calibrateJudge.scorer', `scored none of the ${answers.length} answers`)
  return { ...measureAgreement(verdicts), answers: verdicts.length, disagreements, unscored }
}
