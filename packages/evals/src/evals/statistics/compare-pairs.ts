import { bootstrapInterval } from './bootstrap-interval.ts'
import { seededRandom } from './seeded-random.ts'
import { signFlipTest } from './sign-flip-test.ts'

/** How two versions differ in one score. */
export interface PairComparison {
  /** Number of cases that both versions scored. */
  readonly cases: number
  /** Mean score of the base. */
  readonly base: number
  /** Mean score of the candidate. */
  readonly candidate: number
  /** `candidate` minus `base`. */
  readonly difference: number
  /** The 95 % interval of the difference. */
  readonly interval: readonly [low: number, high: number]
  /** Probability of such a difference, or a larger one, if both versions are the same. */
  readonly p: number
}

export interface PairOptions {
  readonly seed: number
  /** Number of samples of the bootstrap and of the test. */
  readonly samples: number
}

/** Compares scores of two versions, a pair for each case. */
export function comparePairs(
  pairs: readonly (readonly [base: number, candidate: number])[],
  { seed, samples }: PairOptions,
): PairComparison {
  const differences = pairs.map(([base, candidate]) => candidate - base)
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    cases: pairs.length,
    base: mean(pairs.map(([base]) => base)),
    candidate: mean(pairs.map(([, candidate]) => candidate)),
    difference: mean(differences),
    interval: bootstrapInterval(differences, { random: seededRandom(seed), samples }),
    p: signFlipTest(differences, { random: seededRandom(seed + 1), samples }),
  }
}
