import { ParleyError } from '@parley/core'
import { isFields, type Fields } from '../decode/read-fields.ts'

export interface MergeFieldsOptions {
  /** Fields that the provider derives from the request. */
  readonly own: Fields
  /** Fields that a user adds. */
  readonly extra: Fields
  /** Path of `extra` in the user's settings, for the error. */
  readonly path: string
}

/**
 * Merges the fields of a request with those a user adds. Objects that both sides give are merged field by field.
 * @throws `config-invalid` if both sides set the same field.
 */
export function mergeFields({ own, extra, path }: MergeFieldsOptions): Fields {
  const merged: Record<string, unknown> = { ...own }
  for (const [name, value] of Object.entries(extra)) {
    const mine = own[name]
    if (mine === undefined) merged[name] = value
    else if (isFields(mine) && isFields(value))
      merged[name] = mergeFields({ own: mine, extra: value, path: `${path}.${name}` })
    else
      throw new ParleyError({
        code: 'config-invalid',
        path: `${path}.${name}`,
        detail: 'conflicts with another setting; remove one of the two',
      })
  }
  return merged
}
