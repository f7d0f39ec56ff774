import { checkOptions, type OptionKinds } from '@parley/core'
import { expectedOf } from './expected-of.ts'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/** Options of `contains`. */
export interface ContainsOptions extends ScorerOptions {
  /** The texts that the output must contain. @default `expected`: a text or a list of texts */
  readonly texts?: readonly string[] | undefined
  /** Whether `A` and `a` are different. @default false */
  readonly caseSensitive?: boolean | undefined
}

const OPTIONS: OptionKinds<ContainsOptions> = { ...SCORER_OPTIONS, texts: 'strings', caseSensitive: 'boolean' }

/** The share of the texts that the output contains. */
export function contains(options: ContainsOptions = {}): Scorer {
  checkOptions('contains', options, OPTIONS)
  const { texts, caseSensitive = false, ...others } = options
  const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase())
  return defineScorer({
    name: others.name ?? 'contains',
    threshold: others.threshold,
    score(sample) {
      const wanted = texts ?? [expectedOf(sample)].flat().map(String)
      const text = fold(sample.text)
      const missing = wanted.filter(each => !text.includes(fold(each)))
      const reason =
        missing.length === 0 ? undefined : `missing: ${missing.map(each => JSON.stringify(each)).join(', ')}`
      return { score: wanted.length === 0 ? 1 : 1 - missing.length / wanted.length, reason }
    },
  })
}
