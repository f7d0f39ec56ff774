/** A JSON object whose fields are unknown. */
export type Fields = Readonly<Record<string, unknown>>

const NONE: readonly never[] = []

/** Whether a value is a JSON object. Arrays and `null` are not. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an object or array to read fields from; `undefined` for any other value. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}

/** Returns a string; `''` for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns an array; an empty one for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE
}

/** Returns a number of at least 0, rounded down; `undefined` for any other value. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined
}
