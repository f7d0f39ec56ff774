import { checkNumber, checkOptions } from '@parley/core'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/** Whether the agents of the task cost at most `usd` US dollars. A run whose price is unknown cannot be scored. */
export function withinCost(usd: number, options: ScorerOptions = {}): Scorer {
  checkOptions('withinCost', options, SCORER_OPTIONS)
  checkNumber({ path: 'withinCost.usd', value: usd, min: 0 })
  return defineScorer({
    name: options.name ?? 'withinCost',
    threshold: options.threshold,
    score({ run: { cost, runIds } }) {
      if (cost === undefined && runIds.length > 0)
        throw new Error("the price of the model is unknown; set `pricing` in the model's info")
      const spent = cost?.usd ?? 0
      return { score: spent <= usd, reason: `$${Number(spent.toPrecision(4))}` }
    },
  })
}

/** Whether the task worked for at most `ms` milliseconds. */
export function withinTime(ms: number, options: ScorerOptions = {}): Scorer {
  checkOptions('withinTime', options, SCORER_OPTIONS)
  checkNumber({ path: 'withinTime.ms', value: ms, min: 0 })
  return defineScorer({
    name: options.name ?? 'withinTime',
    threshold: options.threshold,
    score: ({ run: { durationMs } }) => ({ score: durationMs <= ms, reason: `${Math.round(durationMs)} ms` }),
  })
}
