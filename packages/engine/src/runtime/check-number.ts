import { ParleyError } from '@parley/core'

type Numbers = Readonly<Record<string, number | undefined>>

/** @throws ParleyError `config-invalid` for a value that is no whole number above 0. */
export function checkCount(values: Numbers, path: string): void {
  check(values, { path, fits: value => Number.isInteger(value) && value > 0, must: 'a whole number above 0' })
}

/** @throws ParleyError `config-invalid` for a value that is no number of milliseconds, 0 or more. */
export function checkDuration(values: Numbers, path: string): void {
  check(values, { path, fits: value => value >= 0, must: '0 or more milliseconds' })
}

interface Rule {
  readonly path: string
  readonly fits: (value: number) => boolean
  readonly must: string
}

function check(values: Numbers, { path, fits, must }: Rule): void {
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined || (typeof value === 'number' && fits(value))) continue
    const where = path === '' ? field : `${path}.${field}`
    throw new ParleyError({ code: 'config-invalid', path: where, detail: `is ${String(value)}, it must be ${must}` })
  }
}
