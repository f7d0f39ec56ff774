/** Characters of the texts of an append from which another thread writes it. */
const LARGE_CHARS = 512 * 1024

/** Whether the texts of entries have so many characters that encoding and writing them would block the process noticeably. */
export function isLarge(entries: readonly object[]): boolean {
  return charsIn(entries, LARGE_CHARS) >= LARGE_CHARS
}

/**
 * Counts the characters of the texts of a value. Stops above the limit. `for…in` over an array makes a text of each index and
 * looks it up, so arrays are counted by number (bench: tricks counted-arrays).
 */
function charsIn(value: object, limit: number): number {
  let chars = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && chars < limit; index++) chars += charsOf(value[index], limit - chars)
    return chars
  }
  for (const key in value) {
    chars += charsOf((value as Readonly<Record<string, unknown>>)[key], limit - chars)
    if (chars >= limit) break
  }
  return chars
}

function charsOf(field: unknown, limit: number): number {
  if (typeof field === 'string') return field.length
  return typeof field === 'object' && field !== null ? charsIn(field, limit) : 0
}
