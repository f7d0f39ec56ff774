/**
 * Describes a value that has a wrong type. Shows numbers, and strings that read like one, but no other string: it may be a
 * secret.
 */
export function foundWords(value: unknown): string {
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value instanceof Promise) return 'a promise; await it first'
  switch (typeof value) {
    case 'undefined':
      return 'missing'
    case 'number':
    case 'boolean':
      return String(value)
    case 'string':
      return /^[\d.]{1,9}$|^true$|^false$/.test(value) ? `the string '${value}'` : 'a string'
    case 'object':
      return 'an object'
    default:
      return `a ${typeof value}`
  }
}
