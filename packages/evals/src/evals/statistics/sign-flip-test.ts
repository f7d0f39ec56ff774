/** Up to this number of differences every choice of signs is tried; beyond it, a random sample of them. */
const EXACT = 14

/** Sums that differ by less are equal: rounding depends on the order of the additions. */
const EPSILON = 1e-9

/**
 * Fisher's randomization test for pairs: the probability that a mean at least as far from 0 arises if both versions are the same, so
 * that each difference could as well have the other sign. Unlike an interval of the bootstrap, it keeps its error rate for few cases
 * and for pass/fail scores. Pairs without a difference cannot count for either side.
 */
export function signFlipTest(
  differences: readonly number[],
  { random, samples }: { readonly random: () => number; readonly samples: number },
): number {
  const sizes = differences.map(Math.abs).filter(size => size > 0)
  const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0))
  const isExtreme = (sum: number): boolean => Math.abs(sum) >= observed - EPSILON
  if (sizes.length <= EXACT) return countAll(sizes, isExtreme) / 2 ** sizes.length
  let extreme = 0
  for (let sample = 0; sample < samples; sample += 1) {
    let sum = 0
    for (const size of sizes) sum += random() < 0.5 ? size : -size
    if (isExtreme(sum)) extreme += 1
  }
  // The observed signs are one of the choices. Without them, p could be 0.
  return (extreme + 1) / (samples + 1)
}

function countAll(sizes: readonly number[], isExtreme: (sum: number) => boolean): number {
  let sums = Float64Array.of(0)
  for (const size of sizes) {
    const next = new Float64Array(sums.length * 2)
    next.set(sums.map(sum => sum + size))
    next.set(
      sums.map(sum => sum - size),
      sums.length,
    )
    sums = next
  }
  return sums.reduce((count, sum) => count + (isExtreme(sum) ? 1 : 0), 0)
}
