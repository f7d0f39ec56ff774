import { checkNumber, checkOptions, type OptionKinds } from '@parley/core'
import type { EvalResult } from '../run/eval-result.ts'
import { comparePairs, type PairComparison } from './compare-pairs.ts'

/** Options of `compareResults`. */
export interface CompareOptions {
  /** The same seed gives the same interval. @default 1 */
  readonly seed?: number | undefined
  /** Number of samples of the bootstrap and of the test. @default 10_000 */
  readonly samples?: number | undefined
}

const OPTIONS: OptionKinds<CompareOptions> = { seed: 'number', samples: 'number' }

/**
 * `noise`: chance explains the difference. `too-few`: fewer than 6 cases were scored by both versions, so that chance can explain
 * any difference.
 */
export type Verdict = 'better' | 'worse' | 'noise' | 'too-few'

/** How two results differ in the scores of one scorer. */
export interface ScorerComparison extends PairComparison {
  readonly name: string
  readonly verdict: Verdict
  /** `p`, raised for the number of scorers (Holm): of many scorers, one differs by chance. */
  readonly adjustedP: number
  /** Ids of the cases that only one of the results scored. They do not count. */
  readonly unpaired: readonly string[]
}

/** How two results of an eval differ. */
export interface EvalComparison {
  readonly base: Pick<EvalResult, 'name' | 'version' | 'runId'>
  readonly candidate: Pick<EvalResult, 'name' | 'version' | 'runId'>
  readonly scorers: readonly ScorerComparison[]
  /** Names of scorers that only one of the results has. */
  readonly unpaired: readonly string[]
}

/** The least number of cases with which a difference can be significant: 2 of 2 ** 6 choices of signs are below 5 %. */
const LEAST = 6

/**
 * Compares two results of an eval, scorer by scorer. The trials of a case are averaged first, and the cases are paired by their
 * ids. A difference is `better` or `worse` if a sign-flip test rejects chance at 5 %, over all scorers together, and the 95 %
 * interval (BCa bootstrap) excludes 0.
 * @throws ParleyError `config-invalid` if an option is invalid.
 */
export function compareResults(base: EvalResult, candidate: EvalResult, options: CompareOptions = {}): EvalComparison {
  checkOptions('compareResults', options, OPTIONS)
  const { seed = 1, samples = 10_000 } = options
  checkNumber({ path: 'compareResults.samples', value: samples, min: 100, whole: true })
  const names = candidate.scorers.map(({ name }) => name)
  const known = new Set(base.scorers.map(({ name }) => name))
  const compared = names
    .filter(name => known.has(name))
    .map(name => {
      const { pairs, unpaired } = pairUp(base, candidate, name)
      return { name, unpaired, ...comparePairs(pairs, { seed, samples }) }
    })
    .filter(({ cases }) => cases > 0)
  // Scorers that score every case as before cannot give a false alarm, so the others need no stricter test because of them.
  const differing = compared.filter(({ interval: [low, high] }) => low !== 0 || high !== 0)
  const adjusted = adjustHolm(differing.map(({ p }) => p))
  const scorers = compared.map((each): ScorerComparison => {
    const adjustedP = adjusted[differing.indexOf(each)] ?? 1
    return { ...each, adjustedP, verdict: verdictOf(each, adjustedP) }
  })
  const shared = new Set(scorers.map(({ name }) => name))
  const unpaired = [...new Set([...known, ...names])].filter(name => !shared.has(name))
  return { base: factsOf(base), candidate: factsOf(candidate), scorers, unpaired }
}

function factsOf({ name, version, runId }: EvalResult): EvalComparison['base'] {
  return { name, version, runId }
}

function pairUp(base: EvalResult, candidate: EvalResult, scorer: string) {
  const scoresOf = ({ cases }: EvalResult): Map<string, number> =>
    new Map(cases.flatMap(({ id, scores }) => (scores[scorer] === undefined ? [] : [[id, scores[scorer]]])))
  const [before, after] = [scoresOf(base), scoresOf(candidate)]
  const pairs: [number, number][] = []
  const unpaired: string[] = []
  for (const { id } of candidate.cases) {
    const [a, b] = [before.get(id), after.get(id)]
    if (a !== undefined && b !== undefined) pairs.push([a, b])
    else unpaired.push(id)
  }
  const ids = new Set(candidate.cases.map(({ id }) => id))
  return { pairs, unpaired: [...unpaired, ...[...before.keys()].filter(id => !ids.has(id))] }
}

function verdictOf({ cases, difference, interval: [low, high] }: PairComparison, adjustedP: number): Verdict {
  if (cases < LEAST) return 'too-few'
  if (adjustedP > 0.05 || (low <= 0 && high >= 0)) return 'noise'
  return difference > 0 ? 'better' : 'worse'
}

/** Raises p values so that the chance of one false alarm among all of them stays below the level (Holm, 1979). */
export function adjustHolm(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index).toSorted((a, b) => (values[a] ?? 1) - (values[b] ?? 1))
  const adjusted = values.map(() => 1)
  let largest = 0
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (values[index] ?? 1) * (values.length - rank)))
    adjusted[index] = largest
  }
  return adjusted
}
