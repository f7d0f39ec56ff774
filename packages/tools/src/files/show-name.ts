/** A file name on one line: one with line breaks or control characters must not pass for more than it is. */
export function showName(name: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name
}
