import { checked } from './arithmetic.ts'
import { failExpression } from './fail-expression.ts'
import { isExact, type MathValue } from './math-value.ts'

export interface MathFunction {
  readonly least: number
  readonly most: number
  readonly apply: (values: readonly MathValue[]) => MathValue
}

export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
  ['τ', 2 * Math.PI],
])

export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map([
  ['sqrt', one(squareRoot)],
  ['cbrt', real('cbrt', Math.cbrt)],
  ['abs', one(value => (value < 0 ? -value : value))],
  ['sign', one(value => (value > 0 ? 1n : value < 0 ? -1n : 0n))],
  ['min', pick((a, b) => a < b)],
  ['max', pick((a, b) => a > b)],
  ['round', { least: 1, most: 2, apply: ([value = 0, digits]) => round(value, digits) }],
  ['floor', whole(Math.floor)],
  ['ceil', whole(Math.ceil)],
  ['trunc', whole(Math.trunc)],
  ['log', { least: 1, most: 2, apply: ([value = 0, base]) => logarithm(value, base) }],
  ['ln', one(value => logarithm(value))],
  ['log2', one(value => logarithm(value, 2))],
  ['log10', one(value => logarithm(value, 10))],
  ['exp', real('exp', Math.exp)],
  ['sin', real('sin', Math.sin)],
  ['cos', real('cos', Math.cos)],
  ['tan', real('tan', Math.tan)],
  ['asin', real('asin', Math.asin, 'It takes values from -1 to 1.')],
  ['acos', real('acos', Math.acos, 'It takes values from -1 to 1.')],
  ['atan', real('atan', Math.atan)],
  ['atan2', { least: 2, most: 2, apply: ([y = 0, x = 0]) => Math.atan2(Number(y), Number(x)) }],
  ['sinh', real('sinh', Math.sinh)],
  ['cosh', real('cosh', Math.cosh)],
  ['tanh', real('tanh', Math.tanh)],
  ['rad', real('rad', degrees => (degrees / 180) * Math.PI)],
  ['deg', real('deg', radians => (radians / Math.PI) * 180)],
])

function one(apply: (value: MathValue) => MathValue): MathFunction {
  return { least: 1, most: 1, apply: ([value = 0]) => apply(value) }
}

function real(name: string, apply: (value: number) => number, domain = ''): MathFunction {
  return one(value => {
    const result = apply(Number(value))
    if (Number.isNaN(result)) return failExpression(`${name}(${value}) has no real value. ${domain}`.trim())
    return checked(result, `${name}(${value})`)
  })
}

function whole(apply: (value: number) => number): MathFunction {
  return one(value => (isExact(value) ? value : toWhole(apply(value))))
}

/** Turns a float without a fraction into an exact integer, so that later operations on it are exact. */
function toWhole(value: number): MathValue {
  return Number.isSafeInteger(value) ? BigInt(value) : value
}

function pick(better: (a: MathValue, b: MathValue) => boolean): MathFunction {
  return {
    least: 1,
    most: Infinity,
    apply: values => values.reduce((best, value) => (better(value, best) ? value : best)),
  }
}

function squareRoot(value: MathValue): MathValue {
  if (value < 0) return failExpression(`The square root of ${value} has no real value.`)
  if (!isExact(value)) return Math.sqrt(value)
  const root = integerRoot(value)
  if (root * root === value) return root
  // Splits off an even power of two, because the number itself can be beyond the range of floats.
  const shift = BigInt(Math.max(0, Math.ceil((value.toString(16).length * 4 - 128) / 2)))
  return checked(Math.sqrt(Number(value >> (2n * shift))) * 2 ** Number(shift), 'The square root')
}

/** Returns the largest integer whose square is not above `value`, by Newton's method. */
function integerRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(value.toString(16).length * 2)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

function logarithm(value: MathValue, base?: MathValue): MathValue {
  if (value <= 0) return failExpression(`The logarithm of ${value} has no value; it takes numbers above 0.`)
  if (base === undefined) return naturalLog(value)
  if (base <= 0 || Number(base) === 1) {
    return failExpression(`A logarithm to base ${base} has no value; the base is above 0 and not 1.`)
  }
  if (Number(base) === 10 && Number.isFinite(Number(value))) return Math.log10(Number(value))
  if (Number(base) === 2 && Number.isFinite(Number(value))) return Math.log2(Number(value))
  const result = naturalLog(value) / naturalLog(base)
  const near = Math.round(result)
  // log(125, 5) is 3, but the quotient of two rounded logarithms is slightly off.
  return Math.abs(result - near) < 1e-9 && Number(base) ** near === Number(value) ? near : result
}

function naturalLog(value: MathValue): number {
  if (!isExact(value) || Number.isFinite(Number(value))) return Math.log(Number(value))
  const shift = value.toString(16).length * 4 - 64
  return Math.log(Number(value >> BigInt(shift))) + shift * Math.LN2
}

/** Rounds half away from zero. Decides on the decimal digits as written: round(1.005, 2) is 1.01. */
function round(value: MathValue, digits: MathValue = 0n): MathValue {
  const places = Number(digits)
  if (!Number.isInteger(places) || Math.abs(places) > 100) {
    return failExpression(`round(x, digits) takes an integer number of digits from -100 to 100, not ${digits}.`)
  }
  if (isExact(value)) return places >= 0 ? value : roundExact(value, 10n ** BigInt(-places))
  const sign = value < 0 ? -1 : 1
  const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e')
  const scaled = Math.round(Number(`${mantissa}e${Number(exponent) + places}`))
  // With so many digits there is nothing to round.
  if (scaled > Number.MAX_SAFE_INTEGER) return value
  const result = sign * Number(`${scaled}e${-places}`)
  return places <= 0 ? toWhole(result) : result
}

function roundExact(value: bigint, unit: bigint): bigint {
  const rest = value % unit
  const size = rest < 0n ? -rest : rest
  const down = value - rest
  if (size * 2n < unit) return down
  return value < 0n ? down - unit : down + unit
}
