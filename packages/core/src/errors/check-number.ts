import { ParleyError } from './parley-error.ts'

/** A number to check and its range. */
export interface NumberRule {
  /** Path of the option, for example `retry.attempts`. */
  readonly path: string
  /** The value to check. `undefined` passes. */
  readonly value: number | undefined
  /** The smallest value that passes. @default the value must be above 0 */
  readonly min?: number | undefined
  /** Whether the value must be an integer. @default false */
  readonly whole?: boolean | undefined
  /** Unit that the error message names, for example `milliseconds`. @default none */
  readonly unit?: string | undefined
}

/** Checks that a number is in its range. @throws ParleyError `config-invalid` with the value and the range. */
export function checkNumber({ path, value, min, whole = false, unit }: NumberRule): void {
  if (value === undefined) return
  const inRange = typeof value === 'number' && (min === undefined ? value > 0 : value >= min)
  if (inRange && (!whole || Number.isInteger(value))) return
  const range = `${whole ? 'an integer' : 'a number'}${unit === undefined ? '' : ` of ${unit}`} ${min === undefined ? 'above 0' : `not below ${min}`}`
  throw new ParleyError({ code: 'config-invalid', path, detail: `is ${String(value)}; must be ${range}` })
}

type Numbers = Readonly<Record<string, number | undefined>>

/**
 * Checks that each value is a positive integer. `undefined` passes.
 * @param path Path of the object that contains the values; may be empty.
 * @throws ParleyError `config-invalid`.
 */
export function checkCount(values: Numbers, path: string): void {
  for (const [field, value] of Object.entries(values)) checkNumber({ path: below(path, field), value, whole: true })
}

/**
 * Checks that each value is a number of milliseconds of at least 0. `undefined` passes.
 * @param path Path of the object that contains the values; may be empty.
 * @throws ParleyError `config-invalid`.
 */
export function checkDuration(values: Numbers, path: string): void {
  for (const [field, value] of Object.entries(values)) {
    checkNumber({ path: below(path, field), value, min: 0, unit: 'milliseconds' })
  }
}

function below(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}
