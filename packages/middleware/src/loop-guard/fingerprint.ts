/** A number that equal JSON values share, whatever the order of their keys, and others seldom: cheaper than their texts. */
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
    // Multiplied with its key and added up: no order.
    sum = (sum + Math.imul(ofText(key), fingerprint((value as Record<string, unknown>)[key]) | 1)) | 0
  }
  return sum
}

/** By its length, its end and its middle: where texts of one kind differ most. */
function ofText(text: string): number {
  const { length } = text
  if (length === 0) return 5
  return Math.imul(length, 31) + Math.imul(text.charCodeAt(length - 1), 17) + text.charCodeAt(length >> 1)
}
