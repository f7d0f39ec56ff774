import { ParleyError } from '@parley/core'

export interface NumberRule {
  /** Where the option is: `retry.attempts`. */
  readonly path: string
  readonly value: number | undefined
  /** @default 0, exclusive */
  readonly min?: number | undefined
  /** @default false */
  readonly whole?: boolean | undefined
}

/**
 * Lets an option that is absent or makes sense pass.
 * @throws ParleyError `config-invalid` with the value and what it must be.
 */
export function checkNumber({ path, value, min, whole = false }: NumberRule): void {
  if (value === undefined) return
  const holds = typeof value === 'number' && (min === undefined ? value > 0 : value >= min)
  if (holds && (!whole || Number.isInteger(value))) return
  const range = min === undefined ? 'above 0' : `of at least ${min}`
  throw new ParleyError({
    code: 'config-invalid',
    path,
    detail: `is ${String(value)}, it must be a ${whole ? 'whole ' : ''}number ${range}`,
  })
}
