import { ParleyError } from '@parley/core'
import type { Fields } from '../decode/read-fields.ts'

export interface MergeFieldsOptions {
  /** What the request itself decides. */
  readonly own: Fields
  /** What a user adds. */
  readonly extra: Fields
  /** Where the user wrote it, for the error. */
  readonly path: string
}

/**
 * Fields of a request and fields a user adds, together. An object that both give is the one of both.
 * @throws `config-invalid` when both decide the same thing.
 */
export function mergeFields({ own, extra, path }: MergeFieldsOptions): Fields {
  const merged: Record<string, unknown> = { ...own }
  for (const [name, value] of Object.entries(extra)) {
    const mine = own[name]
    if (mine === undefined) merged[name] = value
    else if (isObject(mine) && isObject(value))
      merged[name] = mergeFields({ own: mine, extra: value, path: `${path}.${name}` })
    else
      throw new ParleyError({
        code: 'config-invalid',
        path: `${path}.${name}`,
        detail: 'Another setting decides this field. Remove one of the two.',
      })
  }
  return merged
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
