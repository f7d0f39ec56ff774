import { checkNumber, checkOptions, type OptionKinds } from '@parley/core'
import { expectedOf } from './expected-of.ts'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/** Options of `numeric`. */
export interface NumericOptions extends ScorerOptions {
  /** The largest allowed distance from `expected`. @default 0 */
  readonly tolerance?: number | undefined
  /** The largest allowed distance as a share of `expected`: 0.01 is one percent. The larger of both bounds counts. @default 0 */
  readonly relative?: number | undefined
}

const OPTIONS: OptionKinds<NumericOptions> = { ...SCORER_OPTIONS, tolerance: 'number', relative: 'number' }

/** Whether the output is a number near `expected`. A text must be a number and nothing else. */
export function numeric(options: NumericOptions = {}): Scorer {
  checkOptions('numeric', options, OPTIONS)
  const { tolerance = 0, relative = 0, ...others } = options
  checkNumber({ path: 'numeric.tolerance', value: tolerance, min: 0 })
  checkNumber({ path: 'numeric.relative', value: relative, min: 0 })
  return defineScorer({
    name: others.name ?? 'numeric',
    threshold: others.threshold,
    score(sample) {
      const expected = toNumber(expectedOf(sample))
      if (expected === undefined) throw new Error(`\`expected\` of the case '${sample.id}' must be a number`)
      const output = toNumber(sample.output)
      if (output === undefined) return { score: false, reason: 'the output is not a number' }
      const distance = Math.abs(output - expected)
      const isNear = distance <= Math.max(tolerance, relative * Math.abs(expected))
      return { score: isNear, reason: isNear ? undefined : `${output} is ${distance} away from ${expected}` }
    },
  })
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
