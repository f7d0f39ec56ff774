import { checkOptions, type OptionKinds } from '@parley/core'
import { expectedOf } from './expected-of.ts'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/** Options of `similarity`. */
export interface SimilarityOptions extends ScorerOptions {
  /** Returns a vector for each text, from an embedding model of your choice. */
  readonly embed: (
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly (readonly number[])[]> | readonly (readonly number[])[]
}

const OPTIONS: OptionKinds<SimilarityOptions> = { ...SCORER_OPTIONS, embed: 'function!' }

/** The cosine similarity of the output and `expected`, as texts; 0 if it is negative. The default threshold is 0.8. */
export function similarity(options: SimilarityOptions): Scorer {
  checkOptions('similarity', options, OPTIONS)
  const { embed, ...others } = options
  return defineScorer({
    name: others.name ?? 'similarity',
    threshold: others.threshold ?? 0.8,
    async score(sample, { signal }) {
      const expected = expectedOf(sample)
      const wanted = typeof expected === 'string' ? expected : JSON.stringify(expected)
      const [a, b] = await embed([sample.text, wanted], { signal })
      if (a === undefined || b === undefined) throw new Error('`embed` must return a vector for each text')
      return Math.min(1, Math.max(0, cosine(a, b)))
    },
  })
}

function cosine(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new Error(`\`embed\` returned vectors of ${a.length} and ${b.length} numbers`)
  const lengths = Math.sqrt(dot(a, a) * dot(b, b))
  if (!(lengths > 0)) throw new Error('`embed` returned a vector without a direction')
  return dot(a, b) / lengths
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}
