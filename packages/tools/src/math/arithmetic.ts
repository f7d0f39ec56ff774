import { failExpression } from './fail-expression.ts'
import { bitLength, fits, isExact, isZero, MAX_DIGITS, ratio, type MathValue } from './math-value.ts'

/** Returns the value if it is finite and within the limit of digits. @throws ParleyError `tool-failed` otherwise. */
export function checked(value: MathValue, what: string): MathValue {
  if (isExact(value)) return fits(value) ? value : tooLarge(what)
  if (Number.isNaN(value)) return failExpression(`${what} has no real value.`)
  if (!Number.isFinite(value)) return tooLarge(what)
  return value
}

function tooLarge(what: string): never {
  return failExpression(
    `${what} is too large: integers are limited to ${MAX_DIGITS} digits, other numbers to about 1.8e308.`,
  )
}

export function add(a: MathValue, b: MathValue): MathValue {
  return checked(isExact(a) && isExact(b) ? a + b : Number(a) + Number(b), 'The sum')
}

export function subtract(a: MathValue, b: MathValue): MathValue {
  return checked(isExact(a) && isExact(b) ? a - b : Number(a) - Number(b), 'The difference')
}

export function multiply(a: MathValue, b: MathValue): MathValue {
  return checked(isExact(a) && isExact(b) ? a * b : Number(a) * Number(b), 'The product')
}

/** Divides. The result is exact if the division has no remainder. */
export function divide(a: MathValue, b: MathValue): MathValue {
  if (isZero(b)) return failExpression('Division by zero. Check the divisor.')
  if (!isExact(a) || !isExact(b)) return checked(Number(a) / Number(b), 'The quotient')
  return a % b === 0n ? a / b : checked(ratio(a, b), 'The quotient')
}

/** Returns the remainder with the sign of the divisor: `-7 % 3` is 2, as in mathematics and Python. */
export function modulo(a: MathValue, b: MathValue): MathValue {
  if (isZero(b)) return failExpression('Remainder of a division by zero. Check the divisor.')
  if (isExact(a) && isExact(b)) {
    const rest = a % b
    return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest
  }
  const [x, y] = [Number(a), Number(b)]
  const rest = x % y
  return checked(rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest, 'The remainder')
}

export function power(base: MathValue, exponent: MathValue): MathValue {
  if (isZero(base) && Number(exponent) < 0) return failExpression('Zero to a negative power divides by zero.')
  if (isExact(base) && isExact(exponent)) return exactPower(base, exponent)
  const result = Number(base) ** Number(exponent)
  if (Number.isNaN(result)) {
    return failExpression(
      'A negative number to a fractional power has no real value. For a cube root write cbrt(x); note that -x^y is -(x^y).',
    )
  }
  return checked(result, 'The power')
}

function exactPower(base: bigint, exponent: bigint): MathValue {
  if (base === 0n) return exponent === 0n ? 1n : 0n
  if (base === 1n || base === -1n) return exponent % 2n === 0n ? 1n : base
  const size = exponent < 0n ? -exponent : exponent
  // A lower bound of the result's size, so that a result that is too large is not computed first.
  const bits = BigInt(bitLength(base) - 4) * size
  if (bits > BigInt(4 * MAX_DIGITS) || size > BigInt(4 * MAX_DIGITS)) {
    return exponent < 0n ? 0 : tooLarge('The power')
  }
  return exponent < 0n ? divide(1n, base ** size) : checked(base ** size, 'The power')
}

export function factorial(value: MathValue): MathValue {
  if (!isExact(value) && !Number.isInteger(value)) {
    return failExpression(`The factorial of ${value} is not defined; it takes integers from 0.`)
  }
  if (value < 0) return failExpression(`The factorial of a negative number is not defined.`)
  // 450! is the first with more than MAX_DIGITS digits.
  if (value >= 450) return tooLarge('The factorial')
  let product = 1n
  for (let factor = 2n; factor <= value; factor++) product *= factor
  return product
}
