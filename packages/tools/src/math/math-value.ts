/** A whole number that is exact, or a floating-point number. */
export type MathValue = bigint | number

/** Most decimal digits an exact whole number may have. */
export const MAX_DIGITS = 1_000

const CEILING = 10n ** BigInt(MAX_DIGITS)

export function isExact(value: MathValue): value is bigint {
  return typeof value === 'bigint'
}

/** Whether an exact number stays within `MAX_DIGITS`. */
export function fits(value: bigint): boolean {
  return value < CEILING && value > -CEILING
}

export function isZero(value: MathValue): boolean {
  return Number(value) === 0
}

export function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4
}

/** `a / b` as the nearest number, also where neither fits a number by itself. `b` is not zero. */
export function ratio(a: bigint, b: bigint): number {
  const [x, y] = [Number(a), Number(b)]
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) return x / y
  const shift = Math.max(0, 72 - (bitLength(a) - bitLength(b)))
  const quotient = Number((a << BigInt(shift)) / b)
  // In two steps, because 2 ** -shift alone would round to zero before the quotient brings it back.
  return quotient * 2 ** -Math.floor(shift / 2) * 2 ** -Math.ceil(shift / 2)
}
