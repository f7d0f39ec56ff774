import { spend, type Work } from '../../pattern/work.ts'

/**
 * Whether a number is a multiple of another one, in the decimal digits that a JSON text writes: 0.3 is a multiple of 0.1, although
 * the floating-point quotient is not an integer.
 */
export function isMultiple(value: number, of: number, work: Work): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  if (!Number.isFinite(value)) return false
  const one = toDecimal(value)
  const other = toDecimal(of)
  const exponent = Math.min(one.exponent, other.exponent)
  spend(work, 20 + Math.abs(one.exponent - other.exponent))
  return scaled(one, exponent) % scaled(other, exponent) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/**
 * Returns the digits of a number whose exponent is lowered to `to`. The result has at most 650 digits, because
 * exponents are between -324 and 308.
 */
function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
