/**
 * Describes a value that has a wrong type. Shows numbers, and strings that read like one, but no other string: it may be a
 * secret.
 */
export function foundWords(value: unknown): string {
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value instanceof Promise) return 'a promise; await it first'
  if (typeof value === 'undefined') return 'missing'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return /^[\d.]{1,9}$|^true$|^false$/.test(value) ? `the string '${value}'` : 'a string'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
