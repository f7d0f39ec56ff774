import { sameJson } from '@parley/core/json-schema'

/**
 * Whether `actual` has everything that `wanted` has: each field of an object, at any depth. Lists and other values must be
 * equal, except that the items of a list may have further fields.
 */
export function includesJson(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) return false
    return wanted.every((item, index) => includesJson(actual[index], item))
  }
  if (typeof wanted !== 'object' || wanted === null) return sameJson(actual, wanted)
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(actual, name) && includesJson((actual as Record<string, unknown>)[name], value),
  )
}
