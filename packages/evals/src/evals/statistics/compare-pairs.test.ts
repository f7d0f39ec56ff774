import { describe, expect, it } from 'vitest'
import { bootstrapInterval } from './bootstrap-interval.ts'
import { comparePairs } from './compare-pairs.ts'
import { adjustHolm } from './compare-results.ts'
import { seededRandom } from './seeded-random.ts'
import { signFlipTest } from './sign-flip-test.ts'

const random = seededRandom(7)

/** Differences in height of cross- and self-fertilized maize, in eighths of an inch (Darwin; Fisher, The Design of Experiments, 1935). */
const MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

describe('the sign-flip test', () => {
  it('the sign-flip test agrees with the exact figure that Fisher computed for 15 pairs of plants', () => {
    // 863 of 32,768 choices of signs have a sum of 314 or more.
    const p = signFlipTest(MAIZE, { random: seededRandom(1), samples: 200_000 })
    expect(p).toBeCloseTo((2 * 863) / 32_768, 2)
  })

  it('the sign-flip test tries every choice of signs for few pairs', () => {
    expect(signFlipTest([1, 1, 1, 1, 1, 1], { random, samples: 1 })).toBe(2 / 64)
    expect(signFlipTest([0, 0, 1, -1], { random, samples: 1 })).toBe(1)
    expect(signFlipTest([0, 0, 0], { random, samples: 1 })).toBe(1)
    // 0.1 + 0.2 is not 0.3: sums that are equal but for rounding count as equal.
    expect(signFlipTest([0.1, 0.2, -0.3], { random, samples: 1 })).toBe(1)
  })

  it('the sign-flip test never reports a probability of 0', () => {
    expect(
      signFlipTest(
        Array.from({ length: 40 }, () => 1),
        { random, samples: 999 },
      ),
    ).toBe(1 / 1000)
  })
})

describe('the bootstrap interval', () => {
  it('the bootstrap interval is near that of Student for normal data', () => {
    const values = Array.from({ length: 200 }, () => 0.3 + gauss() * 0.5)
    const mean = values.reduce((sum, value) => sum + value, 0) / 200
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 199)
    const [low, high] = bootstrapInterval(values, { random: seededRandom(3), samples: 10_000 })
    const half = (1.972 * deviation) / Math.sqrt(200)
    expect(low).toBeCloseTo(mean - half, 1.7)
    expect(high).toBeCloseTo(mean + half, 1.7)
  })

  it('the bootstrap interval contains the true mean in about 95 % of the samples', () => {
    let hits = 0
    for (let trial = 0; trial < 1000; trial += 1) {
      const values = Array.from({ length: 40 }, () => (random() < 0.3 ? 1 : 0))
      const [low, high] = bootstrapInterval(values, { random: seededRandom(trial), samples: 500 })
      if (low <= 0.3 && high >= 0.3) hits += 1
    }
    expect(hits / 1000).toBeGreaterThan(0.91)
    expect(hits / 1000).toBeLessThan(0.98)
  })

  it('the bootstrap interval is a point for equal values', () => {
    expect(bootstrapInterval([0.5, 0.5, 0.5], { random, samples: 100 })).toEqual([0.5, 0.5])
  })
})

describe('Holm', () => {
  it('Holm raises p values by the number of the hypotheses that are left', () => {
    expect(adjustHolm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06])
    expect(adjustHolm([])).toEqual([])
  })
})

type Pair = readonly [number, number]

/** Scores of two versions that are the same: nothing but chance distinguishes them. */
const SAME: Readonly<Record<string, () => Pair>> = {
  'pass or fail, one of two': () => [flip(0.5), flip(0.5)],
  'pass or fail, mostly passing': () => [flip(0.95), flip(0.95)],
  'means of three trials': () => [(flip(0.7) + flip(0.7) + flip(0.7)) / 3, (flip(0.7) + flip(0.7) + flip(0.7)) / 3],
  'skewed grades': () => [random() ** 4, random() ** 4],
  'hard and easy cases': () => {
    const ease = random()
    return [flip(ease), flip(ease)]
  },
  'judged pairs with many ties': () => [0.5, [0, 0.5, 0.5, 0.5, 1][Math.floor(random() * 5)] ?? 0.5],
}

describe('a comparison of two versions', () => {
  const verdict = (pairs: readonly Pair[], seed: number): 'better' | 'worse' | 'noise' => {
    const samples = 400
    const differences = pairs.map(([base, candidate]) => candidate - base)
    // `comparePairs` takes the same steps. Most simulations need no interval, which takes most of the time.
    if (signFlipTest(differences, { random: seededRandom(seed + 1), samples }) > 0.05) return 'noise'
    const { p, difference, interval } = comparePairs(pairs, { seed, samples })
    if (p > 0.05 || (interval[0] <= 0 && interval[1] >= 0)) return 'noise'
    return difference > 0 ? 'better' : 'worse'
  }
  const rate = (cases: number, pair: () => Pair, simulations: number): number => {
    let found = 0
    for (let index = 0; index < simulations; index += 1)
      if (verdict(Array.from({ length: cases }, pair), index) !== 'noise') found += 1
    return found / simulations
  }
  const grid = Object.entries(SAME).flatMap(([shape, pair]) => [6, 10, 40].map(cases => ({ shape, pair, cases })))

  it('a comparison of two versions calls at most 5 % of the comparisons of equal versions a difference, for every shape and size', () => {
    const rates = grid.map(({ pair, cases }) => rate(cases, pair, 2000))
    const mean = rates.reduce((sum, each) => sum + each, 0) / rates.length
    process.stdout.write(`false positives: ${JSON.stringify({ mean, highest: Math.max(...rates) })}\n`)
    expect(mean).toBeLessThanOrEqual(0.05)
    // 2,000 simulations measure a rate of 5 % with a standard error of 0.5 %.
    expect(rates.filter(each => each > 0.06)).toEqual([])
  })

  it('a comparison of two versions finds known effects: from 60 % to 80 % passing in most comparisons of 100 cases', () => {
    const better = (from: number, to: number) => (): Pair => [flip(from), flip(to)]
    expect(rate(100, better(0.6, 0.8), 200)).toBeGreaterThan(0.8)
    expect(rate(100, better(0.6, 0.65), 200)).toBeLessThan(0.3)
    expect(rate(12, better(0.1, 0.95), 200)).toBeGreaterThan(0.9)
  })

  it('a comparison of two versions counts ties as no difference, and not as missing', () => {
    const tie: Pair = [0.5, 0.5]
    const wins: readonly Pair[] = Array.from({ length: 6 }, () => [0.5, 1])
    const few = comparePairs(wins, { seed: 1, samples: 1000 })
    const many = comparePairs([...wins, ...Array.from({ length: 94 }, () => tie)], { seed: 1, samples: 1000 })
    expect(few.difference).toBe(0.5)
    expect(many.difference).toBeCloseTo(0.03, 10)
    expect(many.cases).toBe(100)
  })

  it('a comparison of two versions gives the same figures for the same seed', () => {
    const pairs = Array.from({ length: 30 }, (): Pair => [random(), random()])
    expect(comparePairs(pairs, { seed: 5, samples: 500 })).toEqual(comparePairs(pairs, { seed: 5, samples: 500 }))
    expect(comparePairs(pairs, { seed: 6, samples: 500 })).not.toEqual(comparePairs(pairs, { seed: 5, samples: 500 }))
  })
})

function flip(chance: number): number {
  return random() < chance ? 1 : 0
}

function gauss(): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
