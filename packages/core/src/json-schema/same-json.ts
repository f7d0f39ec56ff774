import { spend, type Work } from '../pattern/work.ts'

/** Whether a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether two JSON values are equal. The order of object members does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

/** Counts the values inside a JSON value. */
export function jsonSize(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + jsonSize(item), 1)
}

/** Whether a list has no two equal values. Takes linear time, because each value is compared by its text. */
export function isUnique(values: readonly unknown[], work: Work): boolean {
  const seen = new Set<unknown>()
  spend(work, values.length)
  for (const value of values) {
    const key = typeof value === 'object' && value !== null ? `{${canonicalText(value, work)}` : scalarKey(value)
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
}

/** No scalar has the key of an object, because a string begins with a quote. */
function scalarKey(value: unknown): unknown {
  return typeof value === 'string' ? `"${value}` : value
}

/** Writes a value as a text that is the same for equal values. */
function canonicalText(value: unknown, work: Work): string {
  spend(work, 4)
  if (Array.isArray(value)) return `[${value.map(item => canonicalText(item, work)).join()}]`
  if (!isRecord(value)) {
    if (typeof value === 'string') spend(work, value.length >> 5)
    // JSON writes -0 as 0, as `sameJson` compares them.
    return JSON.stringify(value) ?? 'undefined'
  }
  const keys = Object.keys(value).sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonicalText(value[key], work)}`).join()}}`
}
