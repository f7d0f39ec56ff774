/** Returns a file name on one line. A name with line breaks or control characters could otherwise imitate further output lines. */
export function showName(name: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name
}
