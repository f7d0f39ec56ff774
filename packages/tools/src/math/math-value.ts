/** An exact integer, or a floating-point number. */
export type MathValue = bigint | number

/** Maximum number of decimal digits of an exact integer. */
export const MAX_DIGITS = 1_000

const CEILING = 10n ** BigInt(MAX_DIGITS)

export function isExact(value: MathValue): value is bigint {
  return typeof value === 'bigint'
}

/** Returns whether an exact integer has at most `MAX_DIGITS` digits. */
export function fits(value: bigint): boolean {
  return value < CEILING && value > -CEILING
}

export function isZero(value: MathValue): boolean {
  return Number(value) === 0
}

export function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4
}

/** Returns the number nearest to `a / b`, even if `a` and `b` are too large for a number. `b` must not be zero. */
export function ratio(a: bigint, b: bigint): number {
  const [x, y] = [Number(a), Number(b)]
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) return x / y
  const shift = Math.max(0, 72 - (bitLength(a) - bitLength(b)))
  const quotient = Number((a << BigInt(shift)) / b)
  // In two steps, because 2 ** -shift alone could round to zero before the quotient scales it back.
  return quotient * 2 ** -Math.floor(shift / 2) * 2 ** -Math.ceil(shift / 2)
}
