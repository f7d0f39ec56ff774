import type { KeyPath } from '../schema/config.ts'

/** Returns the value at a key; `undefined` if the key is missing. */
export function valueAt(value: unknown, key: KeyPath): unknown {
  let found = value
  for (const part of key) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Readonly<Record<string | number, unknown>>)[part]
  }
  return found
}

/** Returns the fields of an object; an empty list for any other value. */
export function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isFields(value) ? Object.entries(value) : []
}

/** Whether a value is an object and not a list. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
