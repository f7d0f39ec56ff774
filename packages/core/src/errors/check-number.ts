import { ParleyError } from './parley-error.ts'

export interface NumberRule {
  /** Where the option stands, for example `retry.attempts`. */
  readonly path: string
  /** `undefined` passes. */
  readonly value: number | undefined
  /** The smallest value that passes. @default the value must be above 0 */
  readonly min?: number | undefined
  /** Whether the value must be an integer. @default false */
  readonly whole?: boolean | undefined
  /** Completes the message, for example `milliseconds`. @default none */
  readonly unit?: string | undefined
}

/** @throws ParleyError `config-invalid` with the value and the range if the value is out of range. */
export function checkNumber({ path, value, min, whole = false, unit }: NumberRule): void {
  if (value === undefined) return
  const inRange = typeof value === 'number' && (min === undefined ? value > 0 : value >= min)
  if (inRange && (!whole || Number.isInteger(value))) return
  const range = `${whole ? 'an integer' : 'a number'}${unit === undefined ? '' : ` of ${unit}`} ${min === undefined ? 'above 0' : `not below ${min}`}`
  throw new ParleyError({ code: 'config-invalid', path, detail: `is ${String(value)}; must be ${range}` })
}

type Numbers = Readonly<Record<string, number | undefined>>

/** @throws ParleyError `config-invalid` if a value is not a positive integer. @param path Of the object the values belong to; may be empty. */
export function checkCount(values: Numbers, path: string): void {
  for (const [field, value] of Object.entries(values)) checkNumber({ path: below(path, field), value, whole: true })
}

/** @throws ParleyError `config-invalid` if a value is not a number of milliseconds of at least 0. @param path As for `checkCount`. */
export function checkDuration(values: Numbers, path: string): void {
  for (const [field, value] of Object.entries(values)) {
    checkNumber({ path: below(path, field), value, min: 0, unit: 'milliseconds' })
  }
}

function below(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}
