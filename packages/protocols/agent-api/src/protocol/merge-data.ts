import type { JsonObject } from '../schema/json-object.ts'

/**
 * Merges a data delta into the data of a part. Strings and lists are concatenated, numbers are added and objects are merged
 * recursively. New keys are copied, and any other value is replaced. Does not change its arguments.
 */
export function mergeData(base: Readonly<JsonObject> | null, delta: Readonly<JsonObject>): JsonObject {
  const merged: JsonObject = { ...base }
  for (const [key, value] of Object.entries(delta)) {
    const joined = Object.hasOwn(merged, key) ? mergeValue(merged[key], value) : value
    // Assigning to `__proto__` would set the prototype.
    Object.defineProperty(merged, key, { value: joined, enumerable: true, writable: true, configurable: true })
  }
  return merged
}

function mergeValue(base: unknown, delta: unknown): unknown {
  if (typeof base === 'string' && typeof delta === 'string') return base + delta
  if (typeof base === 'number' && typeof delta === 'number') return base + delta
  if (Array.isArray(base) && Array.isArray(delta)) return [...(base as unknown[]), ...(delta as unknown[])]
  if (isObject(base) && isObject(delta)) return mergeData(base, delta)
  return delta
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
