/** A JSON object of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>

const NONE: readonly never[] = []

/** The value as an object to look into; undefined when it is none. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}

/** The value when it is text, else `''`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value when it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE
}

/** The value as a count; undefined when it is none. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined
}
