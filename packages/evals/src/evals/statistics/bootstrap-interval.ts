/**
 * The 95 % interval of the mean by the bootstrap, bias-corrected and accelerated (BCa; Efron, Better Bootstrap Confidence
 * Intervals, 1987).
 */
export function bootstrapInterval(
  values: readonly number[],
  { random, samples }: { readonly random: () => number; readonly samples: number },
): readonly [low: number, high: number] {
  const observed = mean(values)
  if (values.every(value => value === values[0])) return [observed, observed]
  const means = Float64Array.from({ length: samples }, () => {
    let sum = 0
    for (let index = 0; index < values.length; index += 1) sum += values[Math.floor(random() * values.length)] ?? 0
    return sum / values.length
  }).sort()
  const bias = quantile(shareBelow(means, observed))
  const skew = acceleration(values)
  return [at(0.025), at(0.975)]

  function at(level: number): number {
    const z = bias + quantile(level)
    const share = normal(bias + z / (1 - skew * z))
    const index = Math.floor(share * samples)
    return means[Math.min(samples - 1, Math.max(0, index))] ?? observed
  }
}

/** The share of the means below the observed one; equal ones count half. Never 0 or 1, whose quantiles are infinite. */
function shareBelow(means: Float64Array, observed: number): number {
  let below = 0
  for (const each of means) below += each < observed - 1e-12 ? 1 : each <= observed + 1e-12 ? 0.5 : 0
  const least = 0.5 / means.length
  return Math.min(1 - least, Math.max(least, below / means.length))
}

/** The acceleration, from the means without one of the values (jackknife). */
function acceleration(values: readonly number[]): number {
  const center = mean(values)
  let squares = 0
  let cubes = 0
  // The jackknife mean without a value is the mean moved away from it, so the deviations of the values have the same skew.
  for (const value of values) {
    const deviation = value - center
    squares += deviation ** 2
    cubes += deviation ** 3
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The distribution function of the standard normal distribution (Abramowitz and Stegun, 26.2.17; error below 1e-7). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
  return z > 0 ? 1 - tail : tail
}

/** The inverse of `normal`. */
function quantile(share: number): number {
  let [low, high] = [-8, 8]
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2
    if (normal(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
