/** Returns JSON text that is the same for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  if (isInOrder(value)) return JSON.stringify(value) ?? 'undefined'
  return JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sorted(part) : part)) ?? 'undefined'
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether a value is plain JSON whose keys are already sorted. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isInOrder)
  let last = ''
  for (const key in value) {
    if (key < last || !isInOrder((value as Record<string, unknown>)[key])) return false
    last = key
  }
  return true
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  // Without a prototype, so that a key named __proto__ is stored like any other key.
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(value).sort()) result[key] = value[key]
  return result
}
