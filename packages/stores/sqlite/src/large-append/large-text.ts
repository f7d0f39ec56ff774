/** Characters of the texts of an append from which another thread writes it. */
const LARGE_CHARS = 512 * 1024

/** Whether the texts of a value have so many characters that encoding and writing them would block the process noticeably. */
export function isLarge(value: unknown): boolean {
  return charsIn(value, LARGE_CHARS) >= LARGE_CHARS
}

/** Counts the characters of the texts of a value. Stops above the limit. */
function charsIn(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let chars = 0
  for (const key in value) {
    const field = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof field === 'string') chars += field.length
    else if (typeof field === 'object' && field !== null) chars += charsIn(field, limit - chars)
    if (chars >= limit) break
  }
  return chars
}
