import { checkOptions, refuseOption } from '@parley/core'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/** Whether the output matches a regular expression. */
export function matches(pattern: RegExp, options: ScorerOptions = {}): Scorer {
  checkOptions('matches', options, SCORER_OPTIONS)
  if (!(pattern instanceof RegExp)) refuseOption('matches.pattern', 'must be a regular expression, for example /rain/i')
  return defineScorer({
    name: options.name ?? 'matches',
    threshold: options.threshold,
    score({ text }) {
      // `search` ignores `lastIndex`, which `test` moves for a pattern with the flag g.
      const isMatch = text.search(pattern) !== -1
      return { score: isMatch, reason: isMatch ? undefined : `does not match ${String(pattern)}` }
    },
  })
}
