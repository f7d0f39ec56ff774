import type { KeyPath } from '../config.ts'

/** The value at a key; undefined where there is none. */
export function valueAt(value: unknown, key: KeyPath): unknown {
  let found = value
  for (const part of key) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Readonly<Record<string | number, unknown>>)[part]
  }
  return found
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isFields(value) ? Object.entries(value) : []
}

/** Whether it is an object with keys. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
