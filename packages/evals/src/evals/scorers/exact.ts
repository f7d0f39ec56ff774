import { checkOptions } from '@parley/core'
import { sameJson } from '@parley/core/json-schema'
import { expectedOf } from './expected-of.ts'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/** Whether the output equals `expected`. Objects are compared field by field. */
export function exact(options: ScorerOptions = {}): Scorer {
  checkOptions('exact', options, SCORER_OPTIONS)
  return defineScorer({
    name: options.name ?? 'exact',
    threshold: options.threshold,
    score(sample) {
      const expected = expectedOf(sample)
      // Spaces around a text have no meaning.
      const isSame =
        typeof expected === 'string' ? sample.text.trim() === expected.trim() : sameJson(sample.output, expected)
      return { score: isSame, reason: isSame ? undefined : `the expected output is ${JSON.stringify(expected)}` }
    },
  })
}
